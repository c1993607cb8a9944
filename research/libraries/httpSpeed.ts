/**
 * Processor time a line of a streamed answer: a bare reader of `node:http`, the product's client of Ollama, and Effect's
 * HTTP client with Ndjson. The server runs in the same process and writes each line after the one before, so its time
 * is in all three.
 *
 *     node research/libraries/httpSpeed.ts
 */
import { NodeHttpClient } from "@effect/platform-node"
import { Effect, Stream } from "effect"
import { Ndjson } from "effect/encoding"
import { HttpClient, HttpClientRequest } from "effect/http"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { makeOllamaClient } from "../../packages/plugins-models/src/ollama/OllamaClient.ts"

const lines = 20_000
const message = { role: "assistant", content: " token" }
const line = Buffer.from(`${JSON.stringify({ model: "m", message, done: false })}\n`)
const last = `${JSON.stringify({ model: "m", message: { ...message, content: "" }, done: true })}\n`

const server = createServer((incoming, response) => {
  incoming.resume().on("end", () => {
    const next = (index: number) => {
      if (index === lines) response.end(last)
      else response.write(line, () => setImmediate(next, index + 1))
    }
    next(0)
  })
})
const { port } = await new Promise<AddressInfo>((resolve) => {
  server.listen(0, "127.0.0.1", () => resolve(server.address() as AddressInfo))
})
const url = `http://127.0.0.1:${port}`

const bare = Effect.callback<void>((resume) => {
  request(`${url}/api/chat`, { method: "POST", agent: false }, (response) => {
    response.on("data", () => {}).on("end", () => resume(Effect.void))
  }).end("{}")
})

const product = makeOllamaClient({
  url,
  timeouts: { connect: 5, firstByte: 600, idle: 120, total: 3600 },
  retries: 0,
  retryDelay: 1
})
  .chat({ model: "m", messages: [{ role: "user", content: "?" }] })
  .pipe(Stream.runDrain)

const effects = Effect.gen(function* () {
  const client = yield* HttpClient.HttpClient
  const response = yield* client.execute(HttpClientRequest.post(`${url}/api/chat`))
  yield* response.stream.pipe(
    Stream.pipeThroughChannel(Ndjson.decode({ ignoreEmptyLines: true, maxLineBytes: 8 * 1024 * 1024 })),
    Stream.runDrain
  )
}).pipe(Effect.provide(NodeHttpClient.layerNodeHttp))

const ways: Readonly<Record<string, Effect.Effect<void, unknown>>> = {
  "bare node:http": bare,
  "the product's client": product,
  "HttpClient and Ndjson": effects
}
for (let round = 1; round <= 3; round++) {
  for (const [name, way] of Object.entries(ways)) {
    const before = process.cpuUsage()
    await Effect.runPromise(way)
    const { system, user } = process.cpuUsage(before)
    console.log(name.padEnd(24), `${((system + user) / lines).toFixed(1)} µs a line`)
  }
}
server.close()
