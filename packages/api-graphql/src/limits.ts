import {
  type DocumentNode,
  GraphQLError,
  Kind,
  parse,
  type ParseOptions,
  type SelectionSetNode
} from "graphql"
import { apiCodes, limitError } from "./errors.ts"

/** The bounds of one request. A request beyond any of them is refused with the code `GRAPHQL_LIMIT_EXCEEDED`. */
export interface Limits {
  /** Bytes of a request body or WebSocket message. */
  readonly bodyBytes: number
  /** Lexical tokens of a GraphQL document. */
  readonly tokens: number
  /** Nested fields; fragments count as if they were written out. */
  readonly depth: number
  /** The same below `__schema` and `__type`. */
  readonly introspectionDepth: number
  readonly aliases: number
  readonly directives: number
  /** Fields and fragments written in the document. */
  readonly selections: number
  /** Nested objects and lists in the variables. */
  readonly variablesDepth: number
  /** Cost of an operation: one for each field, multiplied by the number of items asked for. */
  readonly complexity: number
  /** Operations in one HTTP request. */
  readonly batch: number
  /** Operations at the same time on one WebSocket. */
  readonly operationsPerSocket: number
}

export const defaultLimits: Limits = {
  bodyBytes: 1024 * 1024,
  tokens: 2000,
  depth: 12,
  introspectionDepth: 16,
  aliases: 30,
  directives: 30,
  selections: 500,
  variablesDepth: 64,
  complexity: 20_000,
  batch: 10,
  operationsPerSocket: 100
}

const isIntrospection = (name: string): boolean => name === "__schema" || name === "__type"

/** Refuses a document beyond the limits. Runs before validation, whose time can grow with the square of the size. */
const checkDocument = (document: DocumentNode, limits: Limits): void => {
  const fragments = new Map<string, SelectionSetNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments.set(definition.name.value, definition.selectionSet)
    }
  }
  let aliases = 0
  let directives = 0
  let selections = 0
  const counted = new Set<SelectionSetNode>()
  const depths = new Map<SelectionSetNode, number>()
  /** Nested fields of a selection set. Cycles add no depth here; validation refuses them. */
  const depthOf = (set: SelectionSetNode): number => {
    const known = depths.get(set)
    if (known !== undefined) return known
    depths.set(set, 0)
    let depth = 0
    for (const selection of set.selections) {
      if (!counted.has(set)) {
        selections++
        directives += selection.directives?.length ?? 0
        if (selection.kind === Kind.FIELD && selection.alias !== undefined) aliases++
      }
      if (selection.kind === Kind.FIELD) {
        const below = selection.selectionSet === undefined ? 0 : depthOf(selection.selectionSet)
        // introspection may nest deeper: subtract the difference
        const extra = isIntrospection(selection.name.value) ? limits.introspectionDepth - limits.depth : 0
        depth = Math.max(depth, 1 + below - extra)
      } else {
        const inner =
          selection.kind === Kind.INLINE_FRAGMENT
            ? selection.selectionSet
            : fragments.get(selection.name.value)
        if (inner !== undefined) depth = Math.max(depth, depthOf(inner))
      }
    }
    counted.add(set)
    depths.set(set, depth)
    return depth
  }
  let depth = 0
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION)
      continue
    directives += definition.directives?.length ?? 0
    const found = depthOf(definition.selectionSet)
    // a fragment counts where it is used: only there is it known whether it belongs to introspection
    if (definition.kind === Kind.OPERATION_DEFINITION) depth = Math.max(depth, found)
  }
  const check = (what: string, found: number, limit: number) => {
    if (found > limit) throw limitError(`the document has ${found} ${what}; at most ${limit} are allowed`)
  }
  check("aliases", aliases, limits.aliases)
  check("directives", directives, limits.directives)
  check("selections", selections, limits.selections)
  if (depth > limits.depth) throw limitError(`the document nests deeper than ${limits.depth} fields`)
}

/** `parse` of graphql that refuses documents beyond the limits. */
export const makeParse =
  (limits: Limits) =>
  (source: Parameters<typeof parse>[0], options?: ParseOptions): DocumentNode => {
    let document: DocumentNode
    try {
      document = parse(source, { ...options, maxTokens: limits.tokens })
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error
      if (/tokens\. Parsing aborted/.test(error.message)) {
        throw limitError(`the document has more than ${limits.tokens} tokens`)
      }
      throw new GraphQLError(error.message, {
        source: error.source,
        positions: error.positions,
        extensions: { code: apiCodes.parse }
      })
    }
    checkDocument(document, limits)
    return document
  }

/** Refuses variables that nest too deeply for GraphQL's recursive coercion. Does not recurse itself. */
export const checkVariables = (variables: unknown, limits: Limits): GraphQLError | undefined => {
  let level: ReadonlyArray<unknown> = [variables]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.variablesDepth) {
      return limitError(`the variables nest deeper than ${limits.variablesDepth} levels`)
    }
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : []
    )
  }
  return undefined
}
