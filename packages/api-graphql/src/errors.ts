import type { AppError } from "@omnirag/core/app"
import { GraphQLError, type GraphQLErrorExtensions } from "graphql"
import { redactPaths } from "@omnirag/http"
import { publicText } from "./remedies.ts"

/** Codes that do not come from an error of a use case; those are the `code` of the classes in core. */
export const apiCodes = {
  /** Something unexpected; the cause is in the server's log. */
  internal: "INTERNAL_SERVER_ERROR",
  /** A size, depth or cost limit; see `limits.ts`. */
  limit: "GRAPHQL_LIMIT_EXCEEDED",
  parse: "GRAPHQL_PARSE_FAILED",
  validation: "GRAPHQL_VALIDATION_FAILED",
  /** A body that is not a GraphQL request. */
  request: "BAD_REQUEST",
  /** A variable or argument that does not fit its type. */
  input: "BAD_USER_INPUT",
  introspection: "INTROSPECTION_DISABLED",
  /** The client went away or stopped the operation. */
  cancelled: "CANCELLED",
  /** The subscriber took no event for too long. */
  slow: "SLOW_SUBSCRIBER"
} as const

/** The fields of use-case errors a client may see. Not among them: `file` (a path on the server) and `cause`. */
const publicFields = [
  "field",
  "kind",
  "id",
  "faults",
  "source",
  "path",
  "reason",
  "remedy",
  "action",
  "limit",
  "retryable",
  "holder",
  "runId",
  "documentId",
  "chunker",
  "embedder",
  "store",
  "reranker",
  "generator",
  "operation",
  "indexed",
  "configured"
] as const

const redactDeep = (value: unknown): unknown => {
  if (typeof value === "string") return redactPaths(value)
  if (Array.isArray(value)) return value.map(redactDeep)
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redactDeep(inner)]))
  }
  return value
}

/** The message of a use-case error as a client may see it. */
export const publicMessage = (error: AppError): string => publicText(error)

/** A use-case error as a GraphQL error: its stable code and its public fields in `extensions`. */
export const toGraphQLError = (error: AppError): GraphQLError => {
  const fields = Object.fromEntries(
    Object.entries(error).filter(([key]) => (publicFields as ReadonlyArray<string>).includes(key))
  )
  return new GraphQLError(publicMessage(error), {
    extensions: { code: error.code, ...(redactDeep(fields) as Record<string, unknown>) }
  })
}

/** What a client sees of an unexpected failure. */
export const internalError = (): GraphQLError =>
  new GraphQLError("the server met an unexpected problem; its log has the details", {
    extensions: { code: apiCodes.internal }
  })

export const limitError = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: apiCodes.limit, http: { status: 400 } } })

/** The error at the bottom of what GraphQL wrapped around it. */
const rootOf = (error: unknown): unknown => {
  let root = error
  while (root instanceof GraphQLError && root.originalError !== undefined) root = root.originalError
  return root
}

/** Extensions without those that are meant for the HTTP layer. */
const withoutHttp = (extensions: GraphQLErrorExtensions): GraphQLErrorExtensions => {
  const { http: _, ...rest } = extensions
  return rest
}

/** The code of an error. Yoga has its own for a body that turns out to be too large while it is read. */
const codeOf = ({ extensions }: GraphQLError): unknown =>
  extensions["code"] === "REQUEST_ENTITY_TOO_LARGE" ? apiCodes.limit : (extensions["code"] ?? apiCodes.input)

/**
 * Prepares an error for the client: a GraphQL error keeps its message and gets a code when it has none; anything else
 * is masked as `INTERNAL_SERVER_ERROR` and passed to `onDefect`.
 */
export const maskError = (error: unknown, onDefect: (defect: unknown) => void): GraphQLError => {
  const root = rootOf(error)
  const located = error instanceof GraphQLError ? error : undefined
  const visible = root instanceof GraphQLError ? root : internalError()
  // yoga adds what a parser threw next to the code
  const { originalError: _, ...extensions } = visible.extensions
  if (!(root instanceof GraphQLError)) onDefect(root)
  return new GraphQLError(visible.message, {
    nodes: located?.nodes,
    source: located?.source,
    positions: located?.positions,
    path: located?.path,
    extensions: { ...extensions, code: codeOf(visible) }
  })
}

/** The error as it is sent over a WebSocket. */
export const socketError = (error: GraphQLError) => {
  const json = error.toJSON()
  return { ...json, extensions: withoutHttp(error.extensions) }
}
