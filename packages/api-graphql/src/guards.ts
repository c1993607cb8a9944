import { guardCrossSite, guardHost, guardOrigin, type Refusal } from "@omnirag/http"
import type { Headers } from "effect/http"
import { HttpServerResponse } from "effect/http"
import { apiCodes } from "./errors.ts"
import type { ResolvedOptions } from "./options.ts"

/** The headers by which GraphQL clients show that they are no page of another origin. */
const proofs = ["graphql-require-preflight", "x-graphql-yoga-csrf", "apollo-require-preflight"] as const

const guardLength = (headers: Headers.Headers, { limits }: ResolvedOptions): Refusal | undefined =>
  Number(headers["content-length"] ?? 0) > limits.bodyBytes
    ? {
        status: 413,
        code: apiCodes.limit,
        message: `the request body is larger than ${limits.bodyBytes} bytes`
      }
    : undefined

/** The refusal as GraphQL clients read errors. */
const respond = (refusal: Refusal | undefined): HttpServerResponse.HttpServerResponse | undefined => {
  if (refusal === undefined) return undefined
  const { code, message, status } = refusal
  return HttpServerResponse.jsonUnsafe({ errors: [{ message, extensions: { code } }] }, { status })
}

/** The refusal of an HTTP request for `/graphql`; undefined when it may pass. */
export const refuseHttp = (method: string, headers: Headers.Headers, options: ResolvedOptions) =>
  respond(
    guardHost(headers, options.allowedHosts) ??
      guardLength(headers, options) ??
      guardCrossSite(method, headers, proofs)
  )

/** The refusal of a WebSocket; undefined when it may be opened. */
export const refuseSocket = (headers: Headers.Headers, options: ResolvedOptions) =>
  respond(guardHost(headers, options.allowedHosts) ?? guardOrigin(headers, options.allowedOrigins))
