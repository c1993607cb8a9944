import type { Headers } from "effect/http"
import { HttpServerResponse } from "effect/http"
import { apiCodes } from "./errors.ts"
import type { ResolvedOptions } from "./options.ts"

const refuse = (status: number, code: string, message: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe({ errors: [{ message, extensions: { code } }] }, { status })

/** The host name in a `Host` header, without the port. */
const hostName = (host: string): string => host.replace(/:\d*$/, "").toLowerCase()

/** Refuses a request for a host this server does not answer to. */
const checkHost = (headers: Headers.Headers, options: ResolvedOptions) =>
  options.allowedHosts !== undefined && !options.allowedHosts.includes(hostName(headers["host"] ?? ""))
    ? refuse(421, "HOST_NOT_ALLOWED", "the server does not answer to this host name")
    : undefined

const isOwnOrigin = (origin: string, host: string | undefined): boolean =>
  URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()

/**
 * Refuses a WebSocket that a page of another origin opens: browsers let any page do so, and send cookies with it.
 * Clients that are not browsers send no origin.
 */
const checkOrigin = (headers: Headers.Headers, options: ResolvedOptions) => {
  const origin = headers["origin"]
  return origin === undefined ||
    isOwnOrigin(origin, headers["host"]) ||
    options.allowedOrigins.includes(origin)
    ? undefined
    : refuse(403, "ORIGIN_NOT_ALLOWED", "this origin may not open a WebSocket here")
}

/** The media types that a page may post to any server without a CORS preflight. */
const simpleTypes = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
const proofs = ["graphql-require-preflight", "x-graphql-yoga-csrf", "apollo-require-preflight"]

/**
 * Refuses a request that a page of another origin could send without a preflight (CSRF). A request is accepted when it
 * has a JSON body, or a header that such a page cannot set, or when the browser says that it comes from the same
 * origin.
 */
const checkCrossSite = (method: string, headers: Headers.Headers) => {
  if (method === "OPTIONS") return undefined
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase()
  const isPreflighted = type !== undefined && type !== "" && !simpleTypes.includes(type)
  const isOwnPage = headers["sec-fetch-site"] === "same-origin"
  return isPreflighted || isOwnPage || proofs.some((name) => headers[name] !== undefined)
    ? undefined
    : refuse(
        403,
        "CSRF_PREVENTED",
        "send content-type: application/json, or the header graphql-require-preflight with any value"
      )
}

const checkLength = (headers: Headers.Headers, options: ResolvedOptions) =>
  Number(headers["content-length"] ?? 0) > options.limits.bodyBytes
    ? refuse(413, apiCodes.limit, `the request body is larger than ${options.limits.bodyBytes} bytes`)
    : undefined

/** The refusal of an HTTP request for `/graphql`; undefined when it may pass. */
export const refuseHttp = (method: string, headers: Headers.Headers, options: ResolvedOptions) =>
  checkHost(headers, options) ?? checkLength(headers, options) ?? checkCrossSite(method, headers)

/** The refusal of a WebSocket; undefined when it may be opened. */
export const refuseSocket = (headers: Headers.Headers, options: ResolvedOptions) =>
  checkHost(headers, options) ?? checkOrigin(headers, options)
