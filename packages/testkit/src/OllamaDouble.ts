import { Effect, Queue, type Scope } from "effect"
import { createServer, type ServerResponse } from "node:http"

/** A request as the double received it. */
export interface Received {
  readonly path: string
  readonly body: Record<string, unknown>
}

export type Handler = (request: Received, response: ServerResponse) => void

/** A real HTTP server in the place of Ollama that answers as the test scripts it. */
export interface OllamaDouble {
  readonly url: string
  /** Sets what a path answers from now on. */
  readonly on: (path: string, handler: Handler) => void
  /** The requests in the order they came. */
  readonly received: Queue.Dequeue<Received>
  /** The path of each request whose client went away before the answer was complete. */
  readonly abandoned: Queue.Dequeue<string>
  /** Requests whose answer is not complete yet. */
  readonly underWay: () => number
}

const json = (response: ServerResponse, status: number, value: unknown) => {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(JSON.stringify(value))
}

/** Answers with one JSON value. */
export const replyJson =
  (value: unknown, status = 200): Handler =>
  (_, response) =>
    json(response, status, value)

/** Answers with these bytes, one write each, and ends. */
export const replyChunks =
  (chunks: ReadonlyArray<string | Uint8Array>): Handler =>
  (_, response) => {
    response.writeHead(200, { "content-type": "application/x-ndjson" })
    const next = (index: number) => {
      const chunk = chunks[index]
      if (chunk === undefined) response.end()
      // the next write waits for this one, so that the reads on the other side are as many
      else response.write(chunk, () => setImmediate(next, index + 1))
    }
    next(0)
  }

/** A line of a chat answer. */
export const chatLine = (content: string): string =>
  `${JSON.stringify({ model: "m", message: { role: "assistant", content }, done: false })}\n`

/** The last line of a chat answer. */
export const chatEnd = (overrides: Record<string, unknown> = {}): string =>
  `${JSON.stringify({
    model: "m",
    message: { role: "assistant", content: "" },
    done: true,
    done_reason: "stop",
    prompt_eval_count: 11,
    eval_count: 2,
    ...overrides
  })}\n`

/**
 * A vector that depends on the letters of a text alone: the counts of the letters a … z, plus one for the rest. Longer
 * dimensions are filled with 0.
 */
export const letterVector = (text: string, dimensions = 27): Array<number> => {
  const vector = Array.from<number>({ length: dimensions }).fill(0)
  for (const letter of text.toLowerCase()) {
    const index = letter.charCodeAt(0) - 97
    const at = index >= 0 && index < 26 ? index : 26
    vector[at] = (vector[at] ?? 0) + 1
  }
  return vector
}

/** Embeds like a good server: the letter vectors of the inputs. */
export const embedLetters: Handler = ({ body }, response) => {
  const inputs = body["input"] as ReadonlyArray<string>
  json(response, 200, {
    embeddings: inputs.map((text) => letterVector(text)),
    prompt_eval_count: inputs.length
  })
}

/** What a server with the models `m` and `nomic-embed-text` says about them. */
export const describeModels = (double: OllamaDouble, contextLength = 2048): void => {
  double.on(
    "/api/tags",
    replyJson({
      models: ["m:latest", "nomic-embed-text:latest"].map((name) => ({
        name,
        model: name,
        digest: `digest of ${name}`
      }))
    })
  )
  double.on("/api/show", replyJson({ model_info: { "arch.context_length": contextLength }, parameters: "" }))
  double.on("/api/embed", embedLetters)
}

/** A double on the port; 0 takes a free one. */
export const ollamaDoubleOn = Effect.fnUntraced(function* (
  port: number
): Effect.fn.Return<OllamaDouble, never, Scope.Scope> {
  const received = yield* Queue.unbounded<Received>()
  const abandoned = yield* Queue.unbounded<string>()
  const handlers = new Map<string, Handler>()
  let underWay = 0
  const server = createServer((request, response) => {
    const path = request.url ?? ""
    underWay++
    response.on("close", () => {
      underWay--
      if (!response.writableFinished) Queue.offerUnsafe(abandoned, path)
    })
    const pieces: Array<Buffer> = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      const text = Buffer.concat(pieces).toString("utf8")
      const incoming: Received = {
        path,
        body: text === "" ? {} : (JSON.parse(text) as Record<string, unknown>)
      }
      Queue.offerUnsafe(received, incoming)
      const handler = handlers.get(path)
      if (handler === undefined) json(response, 404, { error: `the double has no script for ${path}` })
      else handler(incoming, response)
    })
  })
  const bound = yield* Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(port, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
      })
    }),
    () =>
      Effect.callback<void>((resume) => {
        server.closeAllConnections()
        server.close(() => resume(Effect.void))
      })
  )
  return {
    url: `http://127.0.0.1:${bound}`,
    on: (path, handler) => void handlers.set(path, handler),
    received,
    abandoned,
    underWay: () => underWay
  }
})

export const makeOllamaDouble = ollamaDoubleOn(0)
