import { Config, Effect, Option } from "effect"
import { PluginError } from "@omnirag/core/plugin"
import { isIPv6 } from "node:net"

const defaultUrl = "http://127.0.0.1:11434"

/** Addresses that a server listens on (such as 0.0.0.0) mean this machine for a client. */
const callable = (hostname: string): string =>
  hostname === "0.0.0.0" ? "127.0.0.1" : hostname === "[::]" ? "[::1]" : hostname

/**
 * An address without a scheme, in the form for a URL: a port alone means this machine, and an IPv6 address is put in
 * brackets.
 */
const withHost = (address: string): string => {
  if (/^[1-9]\d{0,4}$/.test(address)) return `127.0.0.1:${address}`
  if (isIPv6(address)) return `[${address}]`
  return address.startsWith(":") ? `127.0.0.1${address}` : address
}

/** A login in the form for a URL: a % that does not begin an escape stands for itself. */
const escaped = (part: string): string => part.replace(/%(?![0-9a-f]{2})/gi, "%25")

/**
 * The base URL of an address, without a slash at its end. It accepts what Ollama itself reads from `OLLAMA_HOST` (a
 * host, a port, both, or a URL; port 11434 unless a scheme is given), and URLs that end in `/api`. None when it is not
 * an address.
 */
export const parseOllamaUrl = (address: string): Option.Option<string> => {
  const text = address.trim().replace(/^(["'])(.*)\1$/, "$2")
  const hasScheme = text.includes("://")
  const whole = hasScheme ? text.replace("://:", "://127.0.0.1:") : `http://${withHost(text)}`
  if (text === "" || !URL.canParse(whole)) return Option.none()
  const url = new URL(whole)
  if (url.protocol !== "http:" && url.protocol !== "https:") return Option.none()
  // URL removes the default port of a scheme, so an explicit :80 must be looked for in the text
  const port = url.port === "" && !hasScheme && !/:0*80(?:\/|$)/.test(text) ? "11434" : url.port
  const login = url.username === "" ? "" : `${escaped(url.username)}:${escaped(url.password)}@`
  const path = url.pathname.replace(/\/+$/, "").replace(/\/+api$/, "")
  return Option.some(
    `${url.protocol}//${login}${callable(url.hostname)}${port === "" ? "" : `:${port}`}${path}`
  )
}

/**
 * An address without its login, for messages. Also for an address that is not a URL, where a login may contain any
 * character.
 */
export const withoutLogin = (address: string): string => address.replace(/^([^/]*:\/\/)?.*@/s, "$1")

/**
 * The address of Ollama: the option `url`, or else the environment variable `OLLAMA_URL`, or else `OLLAMA_HOST`, or
 * else http://127.0.0.1:11434. Empty values count as not set.
 */
export const resolveOllamaUrl = Effect.fn("resolveOllamaUrl")(function* (
  kind: string,
  option: string
): Effect.fn.Return<string, PluginError> {
  const variable = (name: string) =>
    Config.String(name).pipe(
      Config.withDefault(""),
      Effect.mapError((cause) => new PluginError({ kind, name: "ollama", message: String(cause) }))
    )
  const candidates = [
    { origin: "options.url", address: option },
    { origin: "the environment variable OLLAMA_URL", address: yield* variable("OLLAMA_URL") },
    { origin: "the environment variable OLLAMA_HOST", address: yield* variable("OLLAMA_HOST") }
  ]
  const given = candidates.find((candidate) => candidate.address.trim() !== "")
  if (given === undefined) return defaultUrl
  const url = parseOllamaUrl(given.address)
  if (Option.isSome(url)) return url.value
  return yield* new PluginError({
    kind,
    name: "ollama",
    message: `${given.origin} is not an address of an Ollama server: "${withoutLogin(given.address)}"; write for example http://127.0.0.1:11434`
  })
})
