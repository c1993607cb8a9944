import * as fc from "fast-check"
import type { MetadataValue } from "../domain/Document.ts"
import {
  type ChunkFields,
  comparisonOperators,
  type Filter,
  filterFields,
  type Scalar
} from "../domain/Filter.ts"
import type { FilterOperator, VectorStoreCapabilities } from "../ports/VectorStoreCapabilities.ts"

const texts = fc.constantFrom(
  "",
  "a",
  "A",
  "ab",
  "a/b",
  "a/b.md",
  "ab/c.md",
  "é",
  "e\u0301",
  "😀",
  "\uffff",
  "a%",
  "it's",
  '"',
  "0",
  "1",
  "true",
  "*"
)
const numbers = fc.constantFrom(0, -0, 1, -1, 0.1, 0.1 + 0.2, 1e21, 5e-324, 2 ** 53, 10)

const metadataValue: fc.Arbitrary<MetadataValue> = fc.oneof(
  texts,
  numbers,
  fc.boolean(),
  fc.array(texts, { maxLength: 3 })
)

/** The fields of a row, with values that filters trip over: absent ones, lists, texts that look like other types. */
export const anyFields: fc.Arbitrary<ChunkFields> = fc.record({
  documentId: fc.constantFrom("a/a.md", "a/b.md", "ab/c.md", "é/x.md"),
  repo: fc.constantFrom("a", "ab", "é"),
  bundle: fc.option(texts),
  path: fc.constantFrom("a", "a/b.md", "ab/c.md", ".hidden/x.md", "😀"),
  mediaType: texts,
  intent: fc.option(texts),
  page: fc.option(fc.integer({ min: 0, max: 3 })),
  confidence: numbers,
  metadata: fc.dictionary(fc.constantFrom("one", "two", "it's"), metadataValue, { maxKeys: 3 })
})

/** Every field a filter can name, with keys of metadata that rows have and that no row has. */
export const anyFieldName: fc.Arbitrary<string> = fc.constantFrom(
  ...filterFields,
  ...["one", "two", "it's", "none", "constructor"].map((key) => `metadata.${key}`)
)

const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  texts,
  numbers,
  fc.boolean(),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, "\ud83d", "a\ud800")
)

/** A filter of any shape on these fields: every operator, type of value and nesting, empty groups and lists too. */
export const anyFilter = (field: fc.Arbitrary<string> = anyFieldName): fc.Arbitrary<Filter> =>
  fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      fc
        .record({
          _tag: fc.constant("Compare" as const),
          field,
          operator: fc.constantFrom(...comparisonOperators),
          value: scalar
        })
        .filter(({ operator, value }) => operator !== "glob" || value !== ""),
      fc.record({
        _tag: fc.constant("In" as const),
        field,
        values: fc.array(scalar, { maxLength: 4 }),
        negated: fc.boolean()
      }),
      fc.record({ _tag: fc.constant("Exists" as const), field, exists: fc.boolean() }),
      fc.record({ _tag: fc.constant("Not" as const), filter: tie("filter") }),
      fc.record({
        _tag: fc.constantFrom("And" as const, "Or" as const),
        filters: fc.array(tie("filter"), { maxLength: 3 })
      })
    )
  })).filter

const operators: fc.Arbitrary<ReadonlySet<FilterOperator>> = fc
  .subarray<FilterOperator>(["ne", "gt", "gte", "lt", "lte", "prefix", "glob", "nin"])
  .map((more) => new Set<FilterOperator>(["eq", "in", ...more]))

/** What a store may declare about filters: `eq` and `in` on every type, and anything more. */
export const anyFilterCapabilities: fc.Arbitrary<VectorStoreCapabilities["filters"]> = fc.record({
  operators: fc.record({ text: operators, number: operators, boolean: operators }),
  exists: fc.boolean(),
  or: fc.boolean(),
  not: fc.boolean()
})
