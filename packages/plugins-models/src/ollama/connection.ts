import { HealthChecks, type PluginError } from "@omnirag/core/plugin"
import { Effect, Schema, type Scope } from "effect"
import { makeOllamaClient, type OllamaClient } from "./OllamaClient.ts"
import { resolveOllamaUrl } from "./ollamaUrl.ts"

const byDefault =
  <const A>(value: A) =>
  <S extends Schema.Top>(schema: S) =>
    schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed(value as S["Encoded"])))

const seconds = (value: number, description: string) =>
  Schema.Finite.pipe(
    Schema.check(Schema.isBetween({ minimum: 0.1, maximum: 86_400 })),
    byDefault(value)
  ).annotate({ description: `Seconds ${description}` })

const numeral = /^-?\d+(?:\.\d+)?$/
/** Empty, a number of seconds, or a duration of the Go language. */
const duration = /^(?:|-?\d+(?:\.\d+)?|-?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+)$/

/** The options that the embedder and the language model `ollama` share. */
export const connectionOptions = {
  url: Schema.String.pipe(byDefault("")).annotate({
    description:
      "Address of Ollama; when empty, the environment variable OLLAMA_URL, then OLLAMA_HOST, then http://127.0.0.1:11434"
  }),
  timeouts: Schema.Struct({
    connect: seconds(5, "until the connection stands"),
    firstByte: seconds(600, "until the answer begins; a model may have to be loaded first"),
    idle: seconds(120, "between two pieces of an answer"),
    total: seconds(3600, "for a whole call")
  })
    .pipe(byDefault({}))
    .annotate({ description: "How long each phase of a call may take" }),
  retries: Schema.Int.pipe(
    Schema.check(Schema.isBetween({ minimum: 0, maximum: 20 })),
    byDefault(3)
  ).annotate({
    description: "How often a failed call that may be repeated is tried again, with growing pauses"
  }),
  keepAlive: Schema.Union([Schema.String.check(Schema.isPattern(duration)), Schema.Finite])
    .pipe(byDefault(""))
    .annotate({
      description:
        "How long the model stays loaded, as Ollama's keep_alive (30m, seconds, -1 for always); when empty, the server decides"
    })
} as const

export type ConnectionOptions = typeof connectionSchema.Type
const connectionSchema = Schema.Struct(connectionOptions)

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
