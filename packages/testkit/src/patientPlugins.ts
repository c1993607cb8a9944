/** Plugins whose work does not end by itself, for tests of what happens in the middle of it. */
import { AnswerGenerator, definePlugin, SourceProvider } from "@omnirag/core/app"
import { Effect, Layer, Schema, Stream } from "effect"

const bytes = new TextEncoder().encode("# Patience\n\nThe patient document waits for its end.\n")

/** A source with one file that can be read and one whose bytes never come. */
export const patientSource = definePlugin({
  kind: "source",
  name: "patient",
  description: "Never ends; for tests",
  options: Schema.Struct({}),
  layer: () =>
    Layer.succeed(SourceProvider, {
      name: "patient",
      open: Effect.succeed({
        sources: [
          {
            name: "patient",
            location: "memory",
            revision: null,
            entries: Stream.make(
              {
                _tag: "File" as const,
                path: "a.md",
                size: bytes.length,
                modifiedAt: 0,
                read: Effect.succeed(bytes)
              },
              { _tag: "File" as const, path: "b.md", size: 1, modifiedAt: 0, read: Effect.never }
            )
          }
        ],
        missing: []
      })
    })
})

/** Writes one word and waits for ever. */
export const patientAnswers = definePlugin({
  kind: "answers",
  name: "patient",
  description: "Never ends; for tests",
  options: Schema.Struct({}),
  layer: () =>
    Layer.succeed(AnswerGenerator, {
      name: "patient",
      generate: () => Stream.concat(Stream.make({ _tag: "Text" as const, text: "Well, " }), Stream.never)
    })
})
