import type { ChunkFields, ComparisonOperator, Filter, Scalar } from "../domain/Filter.ts"

/** The rows the matrix is asked about, by id. */
export const matrixRows: Readonly<Record<"1" | "2" | "3" | "4", ChunkFields>> = {
  "1": {
    documentId: "r/a/x.md",
    repo: "r",
    bundle: "a",
    path: "a/x.md",
    mediaType: "text/markdown",
    intent: "table",
    page: 1,
    confidence: 0.5,
    metadata: { text: "m", number: 1, flag: true, list: ["x", "yy"] }
  },
  "2": {
    documentId: "r/a/b/y.md",
    repo: "r",
    bundle: "a",
    path: "a/b/y.md",
    mediaType: "text/markdown",
    intent: null,
    page: 2,
    confidence: 0.75,
    metadata: { text: "mm", number: 2.5, flag: false, list: ["yy"] }
  },
  "3": {
    documentId: "s/z.md",
    repo: "s",
    bundle: null,
    path: "z.md",
    mediaType: "text/markdown",
    intent: null,
    page: null,
    confidence: 1,
    metadata: {}
  },
  "4": {
    documentId: "s/c/10%_'\"\\.md",
    repo: "s",
    bundle: "c",
    path: "c/10%_'\"\\.md",
    mediaType: "text/plain",
    intent: null,
    page: 10,
    confidence: 0,
    metadata: { text: "10%_'\"\\", number: -1, list: ["z"] }
  }
}

type Operator = ComparisonOperator | "in" | "nin" | "exists" | "absent"

/** The operand and the ids of the rows that match. */
type Case = readonly [operand: Scalar | ReadonlyArray<Scalar>, ids: string]

/** One decision for every operator on every kind of value: one left out does not compile. */
type Column = Readonly<Record<Operator, Case>>

const matrix: Readonly<Record<string, Column>> = {
  path: {
    eq: ["a/x.md", "1"],
    ne: ["a/x.md", "2 3 4"],
    gt: ["a/x.md", "3 4"],
    gte: ["a/x.md", "1 3 4"],
    lt: ["a/x.md", "2"],
    lte: ["a/x.md", "1 2"],
    prefix: ["a/", "1 2"],
    glob: ["a/*.md", "1"],
    in: [["a/x.md", "c/10%_'\"\\.md", "absent"], "1 4"],
    nin: [["a/x.md", "absent"], "2 3 4"],
    exists: [true, "1 2 3 4"],
    absent: [true, ""]
  },
  bundle: {
    eq: ["a", "1 2"],
    ne: ["a", "4"],
    gt: ["a", "4"],
    gte: ["a", "1 2 4"],
    lt: ["c", "1 2"],
    lte: ["c", "1 2 4"],
    prefix: ["", "1 2 4"],
    glob: ["{a,c}", "1 2 4"],
    in: [["c"], "4"],
    nin: [["c"], "1 2"],
    exists: [true, "1 2 4"],
    absent: [true, "3"]
  },
  confidence: {
    eq: [0.75, "2"],
    ne: [0.75, "1 3 4"],
    gt: [0.5, "2 3"],
    gte: [0.5, "1 2 3"],
    lt: [0.5, "4"],
    lte: [0.5, "1 4"],
    prefix: ["0", ""],
    glob: ["*", ""],
    in: [[0, 1], "3 4"],
    nin: [[0, 1], "1 2"],
    exists: [true, "1 2 3 4"],
    absent: [true, ""]
  },
  page: {
    eq: [2, "2"],
    ne: [2, "1 4"],
    gt: [2, "4"],
    gte: [2, "2 4"],
    lt: [10, "1 2"],
    lte: [10, "1 2 4"],
    prefix: ["1", ""],
    glob: ["1*", ""],
    in: [[1, 2], "1 2"],
    nin: [[1, 2], "4"],
    exists: [true, "1 2 4"],
    absent: [true, "3"]
  },
  "metadata.text": {
    eq: ["10%_'\"\\", "4"],
    ne: ["m", "2 4"],
    gt: ["m", "2"],
    gte: ["m", "1 2"],
    lt: ["m", "4"],
    lte: ["m", "1 4"],
    prefix: ["10%_'", "4"],
    glob: ["m*", "1 2"],
    in: [["m", "mm"], "1 2"],
    nin: [["m"], "2 4"],
    exists: [true, "1 2 4"],
    absent: [true, "3"]
  },
  "metadata.number": {
    eq: [2.5, "2"],
    ne: [2.5, "1 4"],
    gt: [0, "1 2"],
    gte: [1, "1 2"],
    lt: [0, "4"],
    lte: [1, "1 4"],
    prefix: ["2", ""],
    glob: ["*", ""],
    in: [[1, -1], "1 4"],
    nin: [[1, -1], "2"],
    exists: [true, "1 2 4"],
    absent: [true, "3"]
  },
  "metadata.flag": {
    eq: [false, "2"],
    ne: [false, "1"],
    gt: [false, ""],
    gte: [false, ""],
    lt: [true, ""],
    lte: [true, ""],
    prefix: ["t", ""],
    glob: ["true", ""],
    in: [[true, false], "1 2"],
    nin: [[true], "2"],
    exists: [true, "1 2"],
    absent: [true, "3 4"]
  },
  "metadata.list": {
    eq: ["yy", "1 2"],
    ne: ["yy", "4"],
    gt: ["y", "1 2 4"],
    gte: ["yy", "1 2 4"],
    lt: ["y", "1"],
    lte: ["x", "1"],
    prefix: ["y", "1 2"],
    glob: ["?", "1 4"],
    in: [["x", "z"], "1 4"],
    nin: [["x", "z"], "2"],
    exists: [true, "1 2 4"],
    absent: [true, "3"]
  },
  "metadata.unheard": {
    eq: ["x", ""],
    ne: ["x", ""],
    gt: [0, ""],
    gte: [0, ""],
    lt: [0, ""],
    lte: [0, ""],
    prefix: ["", ""],
    glob: ["**", ""],
    in: [["x"], ""],
    nin: [["x"], ""],
    exists: [true, ""],
    absent: [true, "1 2 3 4"]
  }
}

/** An operand of another type than the value: never equal, never ordered, always unequal. */
const mismatched: ReadonlyArray<readonly [Filter, string]> = [
  [{ _tag: "Compare", field: "page", operator: "eq", value: "2" }, ""],
  [{ _tag: "Compare", field: "page", operator: "ne", value: "2" }, "1 2 4"],
  [{ _tag: "Compare", field: "page", operator: "gt", value: "0" }, ""],
  [{ _tag: "Compare", field: "path", operator: "gt", value: 0 }, ""],
  [{ _tag: "Compare", field: "metadata.flag", operator: "eq", value: "true" }, ""],
  [{ _tag: "Compare", field: "metadata.number", operator: "eq", value: true }, ""],
  [{ _tag: "In", field: "metadata.number", values: ["1", true], negated: false }, ""],
  [{ _tag: "In", field: "metadata.number", values: ["1", true], negated: true }, "1 2 4"]
]

const page = (operator: ComparisonOperator, value: number): Filter => ({
  _tag: "Compare",
  field: "page",
  operator,
  value
})
const inRepo = (value: string): Filter => ({ _tag: "Compare", field: "repo", operator: "eq", value })

const combined: ReadonlyArray<readonly [Filter, string]> = [
  [{ _tag: "And", filters: [] }, "1 2 3 4"],
  [{ _tag: "Or", filters: [] }, ""],
  [{ _tag: "And", filters: [inRepo("r")] }, "1 2"],
  [{ _tag: "And", filters: [inRepo("s"), page("gt", 1)] }, "4"],
  [{ _tag: "Or", filters: [inRepo("s"), page("eq", 1)] }, "1 3 4"],
  [{ _tag: "Not", filter: page("eq", 2) }, "1 3 4"],
  [{ _tag: "Not", filter: { _tag: "And", filters: [inRepo("s"), page("gt", 1)] } }, "1 2 3"],
  [{ _tag: "Not", filter: { _tag: "Or", filters: [inRepo("r"), page("gt", 1)] } }, "3"],
  [{ _tag: "Not", filter: { _tag: "Not", filter: page("lt", 3) } }, "1 2"],
  [{ _tag: "In", field: "repo", values: [], negated: false }, ""],
  [{ _tag: "In", field: "bundle", values: [], negated: true }, "1 2 4"]
]

const filterOf = (field: string, operator: Operator, operand: Case[0]): Filter => {
  if (operator === "exists" || operator === "absent")
    return { _tag: "Exists", field, exists: operator === "exists" }
  if (operator === "in" || operator === "nin")
    return {
      _tag: "In",
      field,
      values: typeof operand === "object" ? operand : [operand],
      negated: operator === "nin"
    }
  return {
    _tag: "Compare",
    field,
    operator,
    value: typeof operand === "object" ? operand.join(",") : operand
  }
}

const operators = (column: Column): ReadonlyArray<readonly [Operator, Case]> =>
  Object.entries(column) as ReadonlyArray<[Operator, Case]>

/** Every question of the matrix: a title, a filter, and the ids of the rows it must find. */
export const filterMatrix: ReadonlyArray<{
  readonly title: string
  readonly where: Filter
  readonly ids: ReadonlyArray<string>
}> = [
  ...Object.entries(matrix).flatMap(([field, column]) =>
    operators(column).map(([operator, [operand, ids]]) => ({
      title: `${field} ${operator} ${JSON.stringify(operand)}`,
      where: filterOf(field, operator, operand),
      ids: ids.split(" ").filter((id) => id !== "")
    }))
  ),
  ...[...mismatched, ...combined].map(([where, ids]) => ({
    title: JSON.stringify(where),
    where,
    ids: ids.split(" ").filter((id) => id !== "")
  }))
]
