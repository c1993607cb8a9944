/**
 * What Effect's HTTP client and Ndjson make of each way an answer of Ollama can end, without any code around them. One
 * line a case: what the caller sees, and how many requests the server still has open when the call is over.
 *
 *     node research/libraries/httpClient.ts
 */
import { NodeHttpClient } from "@effect/platform-node"
import { Cause, Effect, Exit, Predicate, Stream } from "effect"
import { Ndjson } from "effect/encoding"
import { HttpClient, HttpClientRequest } from "effect/http"
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http"
import { type AddressInfo, createServer as createSocketServer, type Server as SocketServer } from "node:net"

const longestLine = 8 * 1024 * 1024
const line = `${JSON.stringify({ message: { content: "a" }, done: false })}\n`
const last = `${JSON.stringify({ message: { content: "" }, done: true })}\n`

type Answer = (response: ServerResponse) => void

/** Status 200 and these pieces, one write after the other. */
const pieces =
  (...parts: ReadonlyArray<string | Uint8Array>): Answer =>
  (response) => {
    response.writeHead(200)
    const next = (index: number) => {
      const part = parts[index]
      if (part === undefined) response.end()
      else response.write(part, () => setImmediate(next, index + 1))
    }
    next(0)
  }

/** A head, the beginning of a body, and the end of the connection. */
const breakingOff =
  (status: number, text: string): Answer =>
  (response) => {
    response.writeHead(status, { "content-length": "100000" })
    response.write(text, () => response.destroy())
  }

const raw =
  (text: string): Answer =>
  (response) =>
    void response.socket?.end(text)

const answers: Readonly<Record<string, Answer>> = {
  "a whole answer": pieces(line, last),
  "an error line with status 200": pieces(line, '{"error":"out of memory"}\n'),
  "no line with done: true": pieces(line),
  "nothing at all": pieces(),
  "a line without a message": pieces('{"done":false}\n', last),
  "something after the last line": pieces(`${last}not JSON\n`),
  "a line that is not JSON": pieces(line, "{oops}\n"),
  "half a line at the end": pieces(line, last.slice(0, 20)),
  "bytes that are not UTF-8": pieces(line, Uint8Array.of(0x22, 0xff, 0x0a)),
  "a line above the limit": pieces(line, "x".repeat(longestLine + 1)),
  "status 500 that breaks off": breakingOff(500, "runner died"),
  "status 204": (response) => void response.writeHead(204).end(),
  "a redirection": (response) => void response.writeHead(308, { location: "https://example.org/" }).end(),
  "another protocol": (response) =>
    void response.socket?.write(
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"
    ),
  "no HTTP": raw("SSH-2.0-OpenSSH_9.9\r\n"),
  "closed before the answer": (response) => void response.destroy(),
  "closed in the middle": breakingOff(200, line),
  "no head within 400 ms": () => {},
  "a stall in the middle": (response) => {
    response.writeHead(200)
    response.write(line)
  }
}

/** The address of a server that listens for the life of the scope. */
const listening = <S extends Server | SocketServer>(server: S) =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
    }),
    () => Effect.sync(() => server.close())
  )

const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") ? String(cause.code) : cause instanceof Error ? cause.message : ""

const failureText = (error: unknown): string => {
  if (error instanceof Ndjson.NdjsonError) return `NdjsonError ${error.reason ?? ""}`
  if (Predicate.isTagged(error, "HttpClientError") && Predicate.hasProperty(error, "reason")) {
    const { reason } = error
    const cause = Predicate.hasProperty(reason, "cause") ? codeOf(reason.cause) : ""
    return `${Predicate.hasProperty(reason, "_tag") ? String(reason._tag) : "HttpClientError"} ${cause}`
  }
  return Predicate.hasProperty(error, "_tag") ? String(error._tag) : String(error)
}

const call = Effect.fnUntraced(function* (url: string) {
  const client = yield* HttpClient.HttpClient
  const request = HttpClientRequest.post(url).pipe(HttpClientRequest.bodyText("{}", "application/json"))
  const response = yield* client.execute(request)
  const values = yield* response.stream.pipe(
    Stream.pipeThroughChannel(Ndjson.decode({ ignoreEmptyLines: true, maxLineBytes: longestLine })),
    Stream.runCount
  )
  return `success: status ${response.status}, ${values} values`
})

const outcome = (url: string) =>
  call(url).pipe(
    Effect.timeout("400 millis"),
    Effect.exit,
    Effect.map((exit) => (Exit.isSuccess(exit) ? exit.value : failureText(Cause.squash(exit.cause))))
  )

const program = Effect.gen(function* () {
  let open = 0
  let answer: Answer = () => {}
  const listener: RequestListener = (request, response) => {
    open++
    response.on("close", () => open--)
    request.resume().on("end", () => answer(response))
  }
  const server = createServer(listener)
  const port = yield* listening(server)
  for (const [name, next] of Object.entries(answers)) {
    answer = next
    const seen = yield* outcome(`http://127.0.0.1:${port}/api/chat`)
    yield* Effect.sleep("30 millis")
    console.log(name.padEnd(34), seen, `| open: ${open}`)
    server.closeAllConnections()
  }
  // how far a call has come before it failed: the client does not say
  const refusing = yield* listening(createSocketServer((socket) => void socket.destroy()))
  const silent = yield* listening(createSocketServer((socket) => void socket.on("error", () => {})))
  console.log("closed in the TLS handshake".padEnd(34), yield* outcome(`https://127.0.0.1:${refusing}/`))
  console.log("a TLS handshake without an end".padEnd(34), yield* outcome(`https://127.0.0.1:${silent}/`))
}).pipe(Effect.scoped, Effect.provide(NodeHttpClient.layerNodeHttp))

await Effect.runPromise(program)
process.exit(0)
