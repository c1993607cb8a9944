import { Effect, Schema } from "effect"

const between = (minimum: number, maximum: number, value: number) =>
  Schema.Int.pipe(
    Schema.check(Schema.isBetween({ minimum, maximum })),
    Schema.withDecodingDefaultKey(Effect.succeed(value))
  )

/** Options of the markdown chunker; all lengths are UTF-16 units. */
export const MarkdownOptions = Schema.Struct({
  maxLength: between(100, 100_000, 2_000).annotate({
    description: "Greatest length of a chunk, including breadcrumb, repeated table header and reopened fence"
  }),
  minLength: between(0, 1_000, 10).annotate({
    description: "Pieces of a section shorter than this are joined with a neighbour when maxLength allows it"
  }),
  overlap: between(0, 100_000, 0).annotate({
    description:
      "How much of the previous piece of the same section a piece repeats before its own text; less when its own text would get less than half of maxLength or would not fit"
  })
}).check(
  Schema.makeFilter((options) => [
    ...(options.overlap >= options.maxLength
      ? [{ path: ["overlap"], issue: `must be less than maxLength (${options.maxLength})` }]
      : []),
    ...(options.minLength > options.maxLength / 4
      ? [
          {
            path: ["minLength"],
            issue: `must not be more than a quarter of maxLength (${options.maxLength})`
          }
        ]
      : [])
  ])
)
export type MarkdownOptions = typeof MarkdownOptions.Type
