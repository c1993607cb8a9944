import { Cause, Effect, Predicate, Schedule, type Scope, Stream } from "effect"
import {
  type ChatRequest,
  type ChatResponse,
  type EmbedRequest,
  Ollama,
  type ShowResponse
} from "ollama/browser"
import { makeExchange, type Timeouts } from "./exchange.ts"
import { lineError, OllamaError } from "./OllamaError.ts"
import { withoutLogin } from "./ollamaUrl.ts"

export interface OllamaClientOptions {
  /** Base URL, without `/api`. */
  readonly url: string
  readonly timeouts: Timeouts
  /** Most repetitions of a call that failed and may be repeated. */
  readonly retries: number
  /** Pause before the first repetition in milliseconds; it doubles each time, with jitter. */
  readonly retryDelay: number
}

/** The parts of Ollama's API that are used here. Every failure is one `OllamaError`; interruption ends the HTTP call. */
export interface OllamaClient {
  /** The base URL without a login, for messages. */
  readonly url: string
  /** The vectors as the server sent them, one for each input, without further checks. */
  readonly embed: (
    request: EmbedRequest
  ) => Effect.Effect<
    { readonly embeddings: ReadonlyArray<unknown>; readonly tokens: number | undefined },
    OllamaError
  >
  /** The lines of an answer, the one with `done: true` last. */
  readonly chat: (request: Omit<ChatRequest, "stream">) => Stream.Stream<ChatResponse, OllamaError>
  readonly show: (model: string) => Effect.Effect<ShowResponse, OllamaError>
  /** Digest of a model on the server; fails with `missingModel` when the server does not have it. */
  readonly digest: (model: string) => Effect.Effect<string, OllamaError>
}

/** The error for what the client itself throws: a body that is not JSON. */
const toOllamaError = (cause: unknown): OllamaError =>
  cause instanceof OllamaError
    ? cause
    : new OllamaError({
        reason: "protocol",
        message: `Ollama's answer cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
        cause
      })

/**
 * A form of a model's name that is equal for all names the server treats as the same model: in upper or lower case,
 * with or without the default registry and its `library`, and with the tag `latest` when there is no tag.
 */
const canonicalName = (model: string): string => {
  const name = model.toLowerCase().replace(/^(?:registry\.ollama\.ai\/)?(?:library\/)?/, "")
  return name.slice(name.lastIndexOf("/") + 1).includes(":") ? name : `${name}:latest`
}

const failureIn = (answer: unknown): OllamaError | undefined =>
  Predicate.hasProperty(answer, "error") && answer.error ? lineError(answer.error) : undefined

export const makeOllamaClient = (options: OllamaClientOptions): OllamaClient => {
  const open = (
    framing: "lines" | "json",
    model: string | undefined
  ): Effect.Effect<Ollama, never, Scope.Scope> =>
    makeExchange({ timeouts: options.timeouts, framing, model }).pipe(
      // a separate client for every call: cancelling one does not affect the others
      Effect.map((fetch) => new Ollama({ host: options.url, fetch }))
    )
  const retrying =
    (isRetryable: (error: OllamaError) => boolean) =>
    <A, R>(effect: Effect.Effect<A, OllamaError, R>): Effect.Effect<A, OllamaError, R> =>
      Effect.retry(effect, {
        schedule: Schedule.exponential(options.retryDelay).pipe(Schedule.jittered),
        times: options.retries,
        while: isRetryable
      })
  const call = <A>(model: string | undefined, use: (client: Ollama) => Promise<A>) =>
    open("json", model).pipe(
      Effect.flatMap((client) => Effect.tryPromise({ try: () => use(client), catch: toOllamaError })),
      Effect.scoped,
      // an error with status 200, as some proxies in front of Ollama send it
      Effect.tap((answer) => failureIn(answer) ?? Effect.void),
      retrying((error) => error.retryable)
    )
  const unexpected = (what: string) =>
    new OllamaError({ reason: "protocol", message: `Ollama's answer has no ${what}` })

  const embed = Effect.fn("OllamaClient.embed")(function* (request: EmbedRequest) {
    const response: unknown = yield* call(request.model, (client) => client.embed(request))
    if (!Predicate.isObject(response) || !Array.isArray(response["embeddings"])) {
      return yield* unexpected("list of embeddings")
    }
    const tokens = response["prompt_eval_count"]
    return {
      embeddings: response["embeddings"] as ReadonlyArray<unknown>,
      tokens: typeof tokens === "number" ? tokens : undefined
    }
  })

  const chat = (request: Omit<ChatRequest, "stream">) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const answer = yield* open("lines", request.model).pipe(
          Effect.flatMap((client) =>
            Effect.tryPromise({ try: () => client.chat({ ...request, stream: true }), catch: toOllamaError })
          ),
          // a question that the server has received is not sent again
          retrying((error) => error.reason === "unreachable")
        )
        const iterator = answer[Symbol.asyncIterator]()
        // not Stream.fromAsyncIterable: on interruption it would wait for the iterator, and the iterator for the server
        return Stream.fromPull(
          Effect.succeed(
            Effect.tryPromise({ try: () => iterator.next(), catch: toOllamaError }).pipe(
              Effect.flatMap((next) =>
                next.done === true ? Cause.done() : Effect.succeed([next.value] as const)
              )
            )
          )
        )
      })
    )

  const show = Effect.fn("OllamaClient.show")(function* (model: string) {
    const response = yield* call(model, (client) => client.show({ model }))
    return Predicate.isObject(response) ? response : yield* unexpected("description of the model")
  })

  const digest = Effect.fn("OllamaClient.digest")(function* (model: string) {
    const response: unknown = yield* call(undefined, (client) => client.list())
    if (!Predicate.isObject(response) || !Array.isArray(response["models"])) {
      return yield* unexpected("list of models")
    }
    const wanted = canonicalName(model)
    const isWanted = (name: unknown) => typeof name === "string" && canonicalName(name) === wanted
    const found = response["models"].find(
      (entry) => Predicate.isObject(entry) && (isWanted(entry["name"]) || isWanted(entry["model"]))
    )
    if (found !== undefined) return String(found.digest)
    return yield* new OllamaError({
      reason: "missingModel",
      message: `Ollama at ${withoutLogin(options.url)} does not have the model "${model}"; run: ollama pull ${model}`
    })
  })

  return { url: withoutLogin(options.url), embed, chat, show, digest }
}
