import type { Headers } from "effect/http"
import type { Refusal } from "./Refusal.ts"

/** The host name in a `Host` header, without the port. */
const hostName = (host: string): string => host.replace(/:\d*$/, "").toLowerCase()

/** Refuses a request for a host name that is none of `allowed`; any host passes when that is undefined. */
export const guardHost = (
  headers: Headers.Headers,
  allowed: ReadonlyArray<string> | undefined
): Refusal | undefined =>
  allowed !== undefined && !allowed.includes(hostName(headers["host"] ?? ""))
    ? { status: 421, code: "HOST_NOT_ALLOWED", message: "the server does not answer to this host name" }
    : undefined

const isOwnOrigin = (origin: string, host: string | undefined): boolean =>
  URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()

/**
 * Refuses a WebSocket that the page of another origin opens, those of `allowed` aside: browsers let any page do so,
 * cookies and all. Clients that are no browsers send no origin.
 */
export const guardOrigin = (
  headers: Headers.Headers,
  allowed: ReadonlyArray<string>
): Refusal | undefined => {
  const origin = headers["origin"]
  return origin === undefined || isOwnOrigin(origin, headers["host"]) || allowed.includes(origin)
    ? undefined
    : {
        status: 403,
        code: "ORIGIN_NOT_ALLOWED",
        message: "this origin may not open a WebSocket here"
      }
}

/** The media types that a page may post to any server without a CORS preflight. */
const simpleTypes = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]

/**
 * Refuses a request that the page of another origin could send without a preflight (CSRF): one passes by its JSON body,
 * by one of the headers `proofs`, which such a page cannot set, or because the browser says that it comes from the same
 * origin.
 */
export const guardCrossSite = (
  method: string,
  headers: Headers.Headers,
  proofs: readonly [string, ...ReadonlyArray<string>]
): Refusal | undefined => {
  if (method === "OPTIONS") return undefined
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase()
  const isPreflighted = type !== undefined && type !== "" && !simpleTypes.includes(type)
  const isOwnPage = headers["sec-fetch-site"] === "same-origin"
  return isPreflighted || isOwnPage || proofs.some((name) => headers[name] !== undefined)
    ? undefined
    : {
        status: 403,
        code: "CSRF_PREVENTED",
        message: `send content-type: application/json, or the header ${proofs[0]} with any value`
      }
}
