import { assert, describe, it } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { gzipSync } from "node:zlib"
import { longestLine } from "../../src/ollama/guardLines.ts"
import { clientFor, texts } from "./clientOfDouble.ts"
import {
  chatEnd,
  chatLine,
  type Handler,
  makeOllamaDouble,
  replyChunks,
  replyJson
} from "@omnirag/testkit/OllamaDouble"

describe("OllamaClient: one typed error for each failure", () => {
  const failures: ReadonlyArray<readonly [string, Handler, string, RegExp]> = [
    [
      "model missing",
      replyJson({ error: 'model "m" not found, try pulling it first' }, 404),
      "missingModel",
      /ollama pull m$/
    ],
    ["status 500", replyJson({ error: "llama runner died" }, 500), "server", /500: llama runner died/],
    [
      "status 500 in plain text",
      (_, r) => void r.writeHead(502).end("bad gateway"),
      "server",
      /502: bad gateway/
    ],
    ["status 400", replyJson({ error: "invalid option" }, 400), "request", /400: invalid option/],
    [
      "prompt too long",
      replyJson({ error: "the input length exceeds the context length" }, 400),
      "contextExceeded",
      /context length/
    ],
    [
      "a line that is not JSON",
      replyChunks([chatLine("a"), "{oops}\n", chatEnd()]),
      "protocol",
      /not JSON: \{oops\}/
    ],
    ["half a line at the end", replyChunks([chatLine("a"), chatEnd().slice(0, 20)]), "protocol", /not JSON/],
    [
      "done: false at the end",
      replyChunks([chatLine("a"), chatLine("b")]),
      "closed",
      /before it was complete/
    ],
    ["nothing at all", replyChunks([]), "closed", /before it was complete/],
    [
      "an error line",
      replyChunks([chatLine("a"), '{"error":"out of memory"}\n']),
      "server",
      /broke off the answer: out of memory$/
    ],
    [
      "an error line with an object",
      replyChunks([chatLine("a"), '{"error":{"message":"out of memory","code":5}}\n']),
      "server",
      /broke off the answer: out of memory$/
    ],
    [
      "a line without a message",
      replyChunks(['{"done":false}\n', chatEnd()]),
      "protocol",
      /without a message/
    ],
    [
      "a message that is no text",
      replyChunks(['{"message":{"content":[1]},"done":false}\n', chatEnd()]),
      "protocol",
      /without a message/
    ],
    ["status 204", (_, r) => void r.writeHead(204).end(), "closed", /before it was complete/],
    [
      "the page of a login",
      (_, r) =>
        void r.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<html>Sign in</html>"),
      "protocol",
      /^http:\/\/127\.0\.0\.1:\d+ answered with a web page, .* want a login\?$/
    ],
    [
      "compressed",
      (_, r) => void r.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(chatEnd())),
      "protocol",
      /answered in the encoding gzip, which was not asked for/
    ],
    [
      "a redirection",
      (_, r) => void r.writeHead(308, { location: "https://me:secret@models.example.org/" }).end(),
      "request",
      /leads elsewhere \(status 308\) .* to the address of Ollama: https:\/\/models\.example\.org\/$/
    ],
    [
      "status 401 with a page",
      (_, r) => void r.writeHead(401).end("<html><style>p {}</style><h1>Authorization\nrequired</h1></html>"),
      "request",
      /^Ollama answered with status 401: Authorization required$/
    ],
    [
      "status 404 of something else, which speaks of models",
      (_, r) => void r.writeHead(404).end("<p>No such page in our model shop</p>"),
      "request",
      /^Ollama answered with status 404: No such page in our model shop$/
    ],
    [
      "status 500 that breaks off",
      (_, response) => {
        response.writeHead(500, { "content-length": "100" })
        response.write("runner died", () => response.destroy())
      },
      "server",
      /^Ollama answered with status 500: runner died$/
    ],
    [
      "another protocol",
      (_, r) =>
        void r.socket?.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"),
      "protocol",
      /wants to change the protocol/
    ],
    [
      "a length that is not kept",
      (_, r) => {
        r.writeHead(200, { "content-length": "1000" })
        r.write(chatLine("a"), () => r.destroy())
      },
      "closed",
      /broke off/
    ],
    [
      "pieces of no length",
      (_, r) => void r.socket?.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nabc\r\n"),
      "closed",
      /broke off/
    ],
    ["no HTTP", (_, r) => void r.socket?.end("SSH-2.0-OpenSSH_9.9\r\n"), "protocol", /does not speak HTTP/],
    [
      "bytes that are not UTF-8",
      replyChunks([chatLine("a"), new Uint8Array([0x22, 0xff, 0x0a])]),
      "protocol",
      /UTF-8/
    ],
    [
      "a line without end",
      replyChunks([chatLine("a"), "x".repeat(longestLine + 1)]),
      "protocol",
      /a line of more than/
    ],
    [
      "connection closed in mid-stream",
      (_, response) => {
        response.writeHead(200)
        response.write(chatLine("a"), () => response.destroy())
      },
      "closed",
      /broke off/
    ],
    [
      "connection closed before the answer",
      (_, response) => void response.destroy(),
      "closed",
      /closed the connection/
    ]
  ]
  for (const [name, handler, reason, message] of failures) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const double = yield* makeOllamaDouble
        double.on("/api/chat", handler)
        const error = yield* Effect.flip(texts(clientFor(double.url, { retries: 3 })))
        assert.strictEqual(error.reason, reason)
        assert.match(error.message, message)
        // asked once: a question is never repeated after it was taken
        assert.strictEqual(yield* Queue.size(double.received), 1)
      })
    )
  }

  it.live("server refused: names the URL without its login, and how to set it", () =>
    Effect.gen(function* () {
      const port = yield* Effect.scoped(Effect.map(makeOllamaDouble, (double) => new URL(double.url).port))
      const error = yield* Effect.flip(texts(clientFor(`http://me:secret@127.0.0.1:${port}`, { retries: 2 })))
      assert.strictEqual(error.reason, "unreachable")
      assert.strictEqual(
        error.message,
        `Ollama at http://127.0.0.1:${port} cannot be reached (ECONNREFUSED); start it with "ollama serve", or set the option url or the environment variable OLLAMA_HOST to its address`
      )
    })
  )

  it.effect("an error with status 200", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      double.on("/api/embed", replyJson({ error: "model is loading" }))
      const error = yield* Effect.flip(clientFor(double.url).embed({ model: "m", input: ["a"] }))
      assert.deepStrictEqual(
        [error.reason, error.message],
        ["server", "Ollama broke off the answer: model is loading"]
      )
    })
  )

  it.effect("an embed answer that is not JSON", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      double.on("/api/embed", replyChunks(['{"embeddings":[[NaN]]}']))
      const error = yield* Effect.flip(clientFor(double.url).embed({ model: "m", input: ["a"] }))
      assert.strictEqual(error.reason, "protocol")
    })
  )

  it.effect("names no encoding but the plain one", () =>
    Effect.gen(function* () {
      const double = yield* makeOllamaDouble
      let encodings: string | ReadonlyArray<string> | undefined
      double.on("/api/chat", (_, response) => {
        encodings = response.req.headers["accept-encoding"]
        response.end(chatEnd())
      })
      yield* texts(clientFor(double.url))
      assert.strictEqual(encodings, "identity")
    })
  )

  it.effect(
    "a model that is not in the list names the pull command; what the server leaves out may be left out",
    () =>
      Effect.gen(function* () {
        const double = yield* makeOllamaDouble
        double.on(
          "/api/tags",
          replyJson({
            models: [
              { name: "hub/m:latest", digest: "d" },
              { name: "LLaMA3:8B", digest: "e" }
            ]
          })
        )
        const client = clientFor(double.url)
        assert.strictEqual(yield* client.digest("hub/m"), "d")
        for (const name of ["llama3:8b", "library/llama3:8b", "registry.ollama.ai/library/Llama3:8b"]) {
          assert.strictEqual(yield* client.digest(name), "e")
        }
        assert.match((yield* Effect.flip(client.digest("hub/m:7b"))).message, /ollama pull hub\/m:7b$/)
      })
  )
})
