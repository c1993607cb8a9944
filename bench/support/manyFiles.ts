import { definePlugin, SourceProvider } from "@omnirag/core/app"
import { Effect, Layer, Schema, Stream } from "effect"

/** One section, a chunk of its own, whose words repeat as words do: few often, many seldom. */
const section = (n: number): string => {
  let state = (n + 1) * 2654435761
  const words = Array.from({ length: 60 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return `word${Math.floor((state / 2 ** 32) ** 3 * 20_000)}`
  })
  return `# Section ${n}\n\n${words.join(" ")}.\n`
}

/** A source `many` of markdown files that are made as they are read. */
export const manyFiles = (options: { readonly chunks: number; readonly chunksPerFile: number }) =>
  definePlugin({
    kind: "source",
    name: "many",
    description: "Files made up as they are read; for measurements",
    options: Schema.Struct({}),
    layer: () =>
      Layer.succeed(SourceProvider, {
        name: "many",
        open: Effect.sync(() => {
          const { chunks, chunksPerFile } = options
          const read = (file: number) =>
            Effect.sync(() =>
              new TextEncoder().encode(
                Array.from({ length: chunksPerFile }, (_, n) => section(file * chunksPerFile + n)).join("\n")
              )
            )
          return {
            sources: [
              {
                name: "many",
                location: "memory",
                revision: null,
                entries: Stream.range(0, chunks / chunksPerFile - 1).pipe(
                  Stream.map((file) => ({
                    _tag: "File" as const,
                    path: `${String(file).padStart(6, "0")}.md`,
                    size: 1,
                    modifiedAt: 0,
                    read: read(file)
                  }))
                )
              }
            ],
            missing: []
          }
        })
      })
  })
