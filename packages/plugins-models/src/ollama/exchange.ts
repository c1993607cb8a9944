import { Clock, Effect, type Scope } from "effect"
import { type IncomingMessage, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { ReadableStream } from "node:stream/web"
import { guardLines, guardSize } from "./guardLines.ts"
import { OllamaError, statusError } from "./OllamaError.ts"
import { withoutLogin } from "./ollamaUrl.ts"

/** How long each phase of a call may take, in seconds. */
export interface Timeouts {
  /** Until the connection is open. */
  readonly connect: number
  /** From the start of the call until the status line; a model may have to be loaded first. */
  readonly firstByte: number
  /** Between two pieces of the answer. */
  readonly idle: number
  /** For the whole call. */
  readonly total: number
}

export interface ExchangeOptions {
  readonly timeouts: Timeouts
  /** `lines`: JSON lines up to one with `done: true`; `json`: one JSON value. */
  readonly framing: "lines" | "json"
  /** The model of the call, for messages. */
  readonly model: string | undefined
}

const phases = {
  connect: "could not be connected to",
  firstByte: "did not begin to answer",
  idle: "stopped in the middle of an answer",
  total: "did not finish its answer"
} as const

/** The text of a response that is not a success; when it breaks off, the text so far. At most 64 kB are read. */
const errorText = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  const pieces: Array<Uint8Array> = []
  let size = 0
  try {
    for await (const chunk of chunks) {
      pieces.push(chunk)
      size += chunk.length
      if (size > 65_536) break
    }
  } catch (cause) {
    // the status is known and says more than the fact that the text is incomplete
    if (!(cause instanceof OllamaError && cause.reason === "closed")) throw cause
  }
  return Buffer.concat(pieces).toString("utf8")
}

/** Why a response of status 2xx is not from Ollama; undefined when it may be. */
const foreignResponse = ({ headers }: IncomingMessage, host: string): OllamaError | undefined => {
  const encoding = headers["content-encoding"] ?? "identity"
  if (encoding !== "identity") {
    return new OllamaError({
      reason: "protocol",
      message: `Ollama at ${host} answered in the encoding ${encoding}, which was not asked for; a proxy in front of it must pass on its answers unchanged`
    })
  }
  if (!/^text\/html\b/i.test(headers["content-type"] ?? "")) return undefined
  return new OllamaError({
    reason: "protocol",
    message: `${host} answered with a web page, which Ollama never does; is this the address of another program, or does a proxy in front of Ollama want a login?`
  })
}

/**
 * A `fetch` for one call of the `ollama` client. It ends with the scope: whatever part of the call is still active is
 * then stopped immediately. It uses node:http, which has no limits of its own (Node's fetch gives up on headers and on
 * pauses after 300 seconds); the timeouts use Effect's clock. It rejects only with an `OllamaError`, also in the middle
 * of a body, and for every status except 2xx.
 */
export const makeExchange = Effect.fnUntraced(function* (
  options: ExchangeOptions
): Effect.fn.Return<typeof fetch, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const { timeouts } = options
  let connected = false
  let answered = false
  let waitingSince: number | undefined
  let failure: OllamaError | undefined
  let host = "the server"
  let tearDown = () => {}
  const fail = (error: OllamaError) => {
    failure ??= error
    tearDown()
  }

  const expire = (phase: keyof Timeouts) =>
    Effect.sync(() =>
      fail(
        new OllamaError({
          reason: phase === "connect" ? "unreachable" : "timeout",
          message: `Ollama at ${host} ${phases[phase]} within ${timeouts[phase]} s; see the option timeouts.${phase}`
        })
      )
    )
  const millis = (phase: keyof Timeouts) => timeouts[phase] * 1000
  const after = (phase: keyof Timeouts, over: () => boolean) =>
    Effect.sleep(millis(phase)).pipe(
      Effect.andThen(Effect.suspend(() => (over() ? Effect.void : expire(phase))))
    )
  const watchIdle = Effect.gen(function* () {
    while (true) {
      const now = clock.currentTimeMillisUnsafe()
      const left = waitingSince === undefined ? millis("idle") : waitingSince + millis("idle") - now
      if (left <= 0) return yield* expire("idle")
      yield* Effect.sleep(left)
    }
  })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => fail(new OllamaError({ reason: "closed", message: "the call was cancelled" })))
  )
  yield* Effect.forkScoped(
    Effect.all(
      [
        after("connect", () => connected),
        after("firstByte", () => answered),
        after("total", () => false),
        watchIdle
      ],
      { concurrency: "unbounded", discard: true }
    ),
    { startImmediately: true }
  )

  /** The bytes of a body as they arrive; the waiting time is measured, and failures become `OllamaError`. */
  async function* receive(response: IncomingMessage): AsyncGenerator<Uint8Array> {
    const iterator: AsyncIterator<Uint8Array> = response[Symbol.asyncIterator]()
    try {
      while (true) {
        waitingSince = clock.currentTimeMillisUnsafe()
        const next = await iterator.next()
        waitingSince = undefined
        if (next.done === true) return
        yield next.value
      }
    } catch (cause) {
      throw (
        failure ??
        new OllamaError({
          reason: "closed",
          message: `Ollama at ${host} broke off in the middle of an answer`,
          cause
        })
      )
    } finally {
      waitingSince = undefined
      response.destroy()
    }
  }

  return (input, init) =>
    new Promise<Response>((resolve, reject) => {
      const url = new URL(input instanceof Request ? input.url : input)
      host = withoutLogin(url.origin)
      const secure = url.protocol === "https:"
      const request = (secure ? requestHttps : requestHttp)(url, {
        method: init?.method ?? "GET",
        // a proxy may compress a response when the request names no encoding
        headers: { "accept-encoding": "identity", ...Object.fromEntries(new Headers(init?.headers)) },
        // one connection for each call: none is left over, and a connection that the server has just closed is never
        // reused
        agent: false
      })
      let response: IncomingMessage | undefined
      tearDown = () => {
        if (failure !== undefined) reject(failure)
        response?.destroy(failure)
        request.destroy(failure)
      }
      request.on("socket", (socket) => {
        socket.once(secure ? "secureConnect" : "connect", () => {
          connected = true
        })
      })
      request.on("error", (cause: NodeJS.ErrnoException) => {
        reject(
          failure ??
            (connected
              ? cause.code?.startsWith("HPE_")
                ? new OllamaError({
                    reason: "protocol",
                    message: `what answers at ${host} does not speak HTTP (${cause.message}); is this the address of another program?`,
                    cause
                  })
                : new OllamaError({
                    reason: "closed",
                    message: `Ollama at ${host} closed the connection`,
                    cause
                  })
              : new OllamaError({
                  reason: "unreachable",
                  message: `Ollama at ${host} cannot be reached (${cause.code ?? cause.message}); start it with "ollama serve", or set the option url or the environment variable OLLAMA_HOST to its address`,
                  cause
                }))
        )
      })
      request.on("response", (incoming) => {
        answered = true
        response = incoming
        // errors are handled by the reader; without a listener, an error that no one reads would end the process
        incoming.on("error", () => {})
        const status = incoming.statusCode ?? 0
        const bytes = receive(incoming)
        if (status < 200 || status > 299) {
          errorText(bytes).then(
            (text) =>
              reject(statusError(status, text, { ...options, host, location: incoming.headers.location })),
            reject
          )
          return
        }
        const foreign = foreignResponse(incoming, host)
        if (foreign !== undefined) return fail(foreign)
        const body = ReadableStream.from(options.framing === "lines" ? guardLines(bytes) : guardSize(bytes))
        // Always status 200: a Response with 204 or 205 may have no body and would throw, and here no one would catch
        // it. The two declarations of ReadableStream (DOM, Node) describe the same class.
        resolve(new Response(body as unknown as BodyInit, { status: 200 }))
      })
      // without this, a connection that ends without a response or an error would be waited for without end
      request.on("upgrade", (_, socket) => {
        socket.destroy()
        fail(
          new OllamaError({
            reason: "protocol",
            message: `what answers at ${host} wants to change the protocol; is this the address of another program?`
          })
        )
      })
      // undici's types allow more bodies; the client sends only JSON texts
      if (typeof init?.body === "string") request.end(init.body)
      else request.end()
      if (failure !== undefined) tearDown()
    })
})
