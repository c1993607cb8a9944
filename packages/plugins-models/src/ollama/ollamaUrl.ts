import { Config, Effect, Option } from "effect"
import { PluginError } from "@omnirag/core/plugin"
import { isIPv6 } from "node:net"

const defaultUrl = "http://127.0.0.1:11434"

/** Addresses to listen on mean this machine when they are called. */
const callable = (hostname: string): string =>
  hostname === "0.0.0.0" ? "127.0.0.1" : hostname === "[::]" ? "[::1]" : hostname

/** An address without a scheme, as a URL has it: a port alone means this machine, and an IPv6 address stands in brackets. */
const withHost = (address: string): string => {
  if (/^[1-9]\d{0,4}$/.test(address)) return `127.0.0.1:${address}`
  if (isIPv6(address)) return `[${address}]`
  return address.startsWith(":") ? `127.0.0.1${address}` : address
}

/** A login as it may stand in a URL: a % that begins no escape is one itself. */
const escaped = (part: string): string => part.replace(/%(?![0-9a-f]{2})/gi, "%25")

/**
 * The base URL an address stands for, without a slash at its end: what Ollama itself reads from `OLLAMA_HOST` (a host, a
 * port, both, or a URL; port 11434 unless a scheme is given), and URLs that end in `/api`. None when it is not one.
 */
export const parseOllamaUrl = (address: string): Option.Option<string> => {
  const text = address.trim().replace(/^(["'])(.*)\1$/, "$2")
  const hasScheme = text.includes("://")
  const whole = hasScheme ? text.replace("://:", "://127.0.0.1:") : `http://${withHost(text)}`
  if (text === "" || !URL.canParse(whole)) return Option.none()
  const url = new URL(whole)
  if (url.protocol !== "http:" && url.protocol !== "https:") return Option.none()
  // URL drops the port that is the default of its scheme, so an explicit :80 has to be looked for in the text
  const port = url.port === "" && !hasScheme && !/:0*80(?:\/|$)/.test(text) ? "11434" : url.port
  const login = url.username === "" ? "" : `${escaped(url.username)}:${escaped(url.password)}@`
  const path = url.pathname.replace(/\/+$/, "").replace(/\/+api$/, "")
  return Option.some(
    `${url.protocol}//${login}${callable(url.hostname)}${port === "" ? "" : `:${port}`}${path}`
  )
}

/** An address without the login it may hold, for messages; also one that is no URL, where a login may hold any character. */
export const withoutLogin = (address: string): string => address.replace(/^([^/]*:\/\/)?.*@/s, "$1")

/**
 * Where Ollama is: the option `url`, else the environment variable `OLLAMA_URL`, else `OLLAMA_HOST`, else
 * http://127.0.0.1:11434. Empty ones count as not set.
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
