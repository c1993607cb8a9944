import { Schema } from "effect"

/**
 * Filters as a caller writes them: conditions by field. An edge such as GraphQL turns them into a `Filter`. These
 * schemas hold what can be written and the words that explain it.
 */

const described = <S extends Schema.Codec<unknown>>(schema: S, description: string) =>
  Schema.optionalKey(schema.annotate({ description }))

/** The conditions that every type of value has. */
const equality = <S extends Schema.Codec<unknown>>(value: S) => ({
  eq: described(value, "Equals."),
  ne: described(value, "Is there and does not equal."),
  in: described(Schema.Array(value), "Is one of these."),
  nin: described(Schema.Array(value), "Is there and none of these."),
  exists: described(Schema.Boolean, "True: is there. False: is absent.")
})

/** The conditions of values that have an order. */
const order = <S extends Schema.Codec<unknown>>(value: S) => ({
  gt: described(value, "Is greater than."),
  gte: described(value, "Is at least."),
  lt: described(value, "Is less than."),
  lte: described(value, "Is at most.")
})

export const StringConditions = Schema.Struct({
  ...equality(Schema.String),
  in: described(Schema.Array(Schema.String), "Is one of these; nothing is one of an empty list."),
  prefix: described(Schema.String, "Begins with."),
  glob: described(Schema.String, "Matches: `*` within a folder, `**` across folders, `?`, `{a,b}`, `[abc]`.")
}).annotate({
  description:
    "Conditions on a text; all that are given must hold. None but `exists: false` holds for an absent value."
})

export const IntConditions = Schema.Struct({ ...equality(Schema.Int), ...order(Schema.Int) }).annotate({
  description: "Conditions on a whole number; all that are given must hold."
})

export const NumberConditions = Schema.Struct({
  ...equality(Schema.Finite),
  ...order(Schema.Finite)
}).annotate({ description: "Conditions on a number; all that are given must hold." })

const ScalarValue = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])

export const MetadataConditions = Schema.Struct({
  key: Schema.String.annotate({ description: "The key, as in the front matter." }),
  ...equality(ScalarValue),
  ...order(ScalarValue),
  eq: described(ScalarValue, 'Equals, type included: `1` is not `"1"`.'),
  gt: described(ScalarValue, "Is greater than (numbers, or texts by code unit)."),
  prefix: described(Schema.String, "Begins with."),
  glob: described(Schema.String, "Matches, as in `StringFilter`."),
  exists: described(Schema.Boolean, "True: the document has the key. False: it has not.")
}).annotate({
  description:
    "Conditions on one key of the metadata; all that are given must hold. A list of texts satisfies `eq`, `in`, `prefix` and `glob` when one of its members does."
})

/** What documents and chunks can both be filtered by. */
const documentFields = {
  repo: described(StringConditions, "Name of the source (a repository, usually)."),
  bundle: described(StringConditions, "First folder of the path; absent for a file in the root."),
  path: described(StringConditions, "POSIX path below the root of the source."),
  mediaType: described(StringConditions, "Media type, such as `text/markdown`."),
  documentId: described(StringConditions, "Id of the document: source name, a slash, and the path."),
  metadata: described(Schema.Array(MetadataConditions), "Metadata of the document; every entry must hold.")
}

/** What only chunks can be filtered by. */
const chunkFields = {
  intent: described(StringConditions, "Kind of statement; absent where the chunker does not classify."),
  page: described(IntConditions, "Page, from 1; absent without pages."),
  confidence: described(NumberConditions, "How much the chunk says, 0.1 … 1.")
}

/** How conditions of one kind are combined. */
const combinators = <T>(conditions: () => Schema.Codec<T>) => {
  const inner = Schema.suspend(conditions)
  return {
    _and: described(Schema.Array(inner), "All of these must hold."),
    _or: described(Schema.Array(inner), "One of these must hold; of an empty list none does."),
    _not: described(inner, "This must not hold.")
  }
}

type Combined<Fields extends Schema.Struct.Fields> = Schema.Struct.Type<Fields> & {
  readonly _and?: ReadonlyArray<Combined<Fields>>
  readonly _or?: ReadonlyArray<Combined<Fields>>
  readonly _not?: Combined<Fields>
}

export type DocumentConditions = Combined<typeof documentFields>
export const DocumentConditions = Schema.Struct({
  ...documentFields,
  ...combinators((): Schema.Codec<DocumentConditions> => DocumentConditions)
}).annotate({
  identifier: "DocumentConditions",
  description:
    "Which documents to list. All conditions given together apply; an empty filter holds for every document."
})

export type ChunkConditions = Combined<typeof documentFields & typeof chunkFields>
export const ChunkConditions = Schema.Struct({
  ...documentFields,
  ...chunkFields,
  ...combinators((): Schema.Codec<ChunkConditions> => ChunkConditions)
}).annotate({
  identifier: "ChunkConditions",
  description:
    "Which chunks to look at. All conditions given together apply; an empty filter holds for every chunk."
})
