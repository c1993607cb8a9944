import { HealthChecks, type PluginError } from "@omnirag/core/plugin"
import { Effect, type Scope } from "effect"
import type { ConnectionOptions } from "./connectionOptions.ts"
import { makeOllamaClient, type OllamaClient } from "./OllamaClient.ts"
import { resolveOllamaUrl } from "./ollamaUrl.ts"

const numeral = /^-?\d+(?:\.\d+)?$/

/** Pause before the first repetition, in milliseconds. */
const retryDelay = 250
/** A health check makes one call and does not wait until a model is loaded. */
const checkTimeouts = { connect: 3, firstByte: 5, idle: 5, total: 8 }

/** Two clients for the same server. */
export interface Connection {
  /** With the configured timeouts and repetitions. */
  readonly client: OllamaClient
  /** For calls that are made once and do not wait. */
  readonly checker: OllamaClient
}

/**
 * The connection to the configured server. Registers a health check: whether the server can be reached and has the
 * model.
 */
export const connect = Effect.fn("ollama.connect")(function* (
  kind: "embedder" | "languageModel",
  model: string,
  options: ConnectionOptions
): Effect.fn.Return<Connection, PluginError, HealthChecks | Scope.Scope> {
  const url = yield* resolveOllamaUrl(kind, options.url)
  const checks = yield* HealthChecks
  const checker = makeOllamaClient({ url, timeouts: checkTimeouts, retries: 0, retryDelay })
  yield* checks.register(
    `ollama ${kind}`,
    checker.digest(model).pipe(
      Effect.match({
        onFailure: (error) => ({ healthy: false, detail: error.message }),
        onSuccess: (digest) => ({
          healthy: true,
          detail: `${checker.url} is reachable and has the model "${model}" (${digest.slice(0, 12)})`
        })
      })
    )
  )
  const client = makeOllamaClient({ url, timeouts: options.timeouts, retries: options.retries, retryDelay })
  return { client, checker }
})

/** `keep_alive` in the form of the API, which refuses a number in quotes; with undefined the server decides. */
export const keepAliveOf = ({ keepAlive }: ConnectionOptions): string | number | undefined =>
  keepAlive === ""
    ? undefined
    : typeof keepAlive === "string" && numeral.test(keepAlive)
      ? Number(keepAlive)
      : keepAlive
