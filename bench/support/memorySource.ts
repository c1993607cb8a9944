import { definePlugin, SourceProvider } from "@omnirag/core/app"
import { Effect, Layer, Schema, Stream } from "effect"

/** A source plugin `memory` that holds its files: path → markdown. */
export const memorySource = (name: string, files: ReadonlyMap<string, string>) =>
  definePlugin({
    kind: "source",
    name: "memory",
    description: "Files in memory; for measurements",
    options: Schema.Struct({}),
    layer: () =>
      Layer.succeed(SourceProvider, {
        name: "memory",
        open: Effect.succeed({
          sources: [
            {
              name,
              location: "memory",
              revision: null,
              entries: Stream.fromIterable(
                Array.from(files, ([path, text]) => {
                  const bytes = new TextEncoder().encode(text)
                  return {
                    _tag: "File" as const,
                    path,
                    size: bytes.length,
                    modifiedAt: 0,
                    read: Effect.succeed(bytes)
                  }
                }).toSorted((left, right) => (left.path < right.path ? -1 : 1))
              )
            }
          ],
          missing: []
        })
      })
  })
