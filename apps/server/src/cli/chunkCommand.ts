import * as NodeServices from "@effect/platform-node/NodeServices"
import { type Chunk, ChunkPreview } from "@omnirag/core/app"
import { Effect, Layer, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { basename } from "node:path"
import { previewLayer } from "@omnirag/runtime"
import { readInput } from "./inputFile.ts"
import { printJson, printLine } from "./output.ts"
import { json } from "./root.ts"
import { loadedConfig } from "./withApp.ts"

const toJson = (chunk: Chunk) => ({
  id: chunk.id,
  start: chunk.start,
  end: chunk.end,
  lines: [chunk.startLine, chunk.endLine],
  headingPath: chunk.headingPath,
  text: chunk.text
})

const describe = (chunk: Chunk): string => {
  const place = `lines ${chunk.startLine}-${chunk.endLine}, characters ${chunk.start}-${chunk.end}`
  return `--- ${chunk.index + 1}: ${place}, ${chunk.text.length} long\n${chunk.text}`
}

export const chunkCommand = Command.make(
  "chunk",
  {
    file: Argument.String("file").pipe(Argument.withDescription("The file to chunk")),
    chunker: Flag.String("chunker").pipe(
      Flag.withDescription("A chunker with its default options; the configured one when absent"),
      Flag.optional
    ),
    json
  },
  Effect.fn(function* ({ file, chunker, json: asJson }) {
    const { config, plugins } = yield* loadedConfig
    const chunks = yield* Effect.gen(function* () {
      const bytes = yield* readInput("file", file)
      const previews = yield* ChunkPreview
      return yield* previews.chunks({ path: basename(file), bytes, chunker: Option.getOrUndefined(chunker) })
    }).pipe(Effect.provide(previewLayer(config, plugins).pipe(Layer.provide(NodeServices.layer))))
    yield* Effect.forEach(
      chunks,
      (chunk) => (asJson ? printJson(toJson(chunk)) : printLine(describe(chunk))),
      {
        discard: true
      }
    )
  })
).pipe(Command.withDescription("Show how a file would be chunked, without indexing it"))
