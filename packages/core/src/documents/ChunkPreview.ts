import { Context, Effect, Layer, Stream } from "effect"
import type { Chunk } from "../domain/Chunk.ts"
import type { ChunkingError, DocumentRefused, InvalidInput } from "../domain/errors.ts"
import { Chunker } from "../ports/Chunker.ts"
import { Chunkers } from "../sources/Chunkers.ts"
import { DocumentLoaders } from "../sources/DocumentLoaders.ts"

export interface PreviewFile {
  /** Shown in the chunks' document id. Its ending determines the media type unless that is given. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly mediaType?: string | undefined
  /** Name of a chunker plugin with its default options; the configured chunker when absent. */
  readonly chunker?: string | undefined
}

/** Chunks a file as indexing would, without indexing it. */
export class ChunkPreview extends Context.Service<
  ChunkPreview,
  {
    readonly chunks: (
      file: PreviewFile
    ) => Effect.Effect<ReadonlyArray<Chunk>, InvalidInput | DocumentRefused | ChunkingError>
  }
>()("@omnirag/core/documents/ChunkPreview") {
  static readonly layer = Layer.effect(
    ChunkPreview,
    Effect.gen(function* () {
      const loaders = yield* DocumentLoaders
      const configured = yield* Chunker
      const chunkers = yield* Chunkers
      const chunks = Effect.fn("ChunkPreview.chunks")(function* (file: PreviewFile) {
        const chunker = file.chunker === undefined ? configured : yield* chunkers.get(file.chunker)
        const mediaType = file.mediaType ?? loaders.mediaTypeOf(file.path) ?? "text/markdown"
        const document = yield* loaders.load({
          source: "preview",
          path: file.path,
          bytes: file.bytes,
          mediaType
        })
        return yield* Stream.runCollect(chunker.split(document))
      })
      return ChunkPreview.of({ chunks })
    })
  )
}
