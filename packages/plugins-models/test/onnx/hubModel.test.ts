import { EmbedderProvider } from "@omnirag/core/app"
import { memoryArtifacts } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { existsSync, readdirSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import { dirname, join } from "node:path"
import { buildEmbedder } from "./builtPlugins.ts"
import { temporaryFolder, tinyEmbedder, tinyFiles } from "@omnirag/testkit/tinyModels"

/** A hub on this machine; gives its address. */
const hub = (handler: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly address: string; readonly close: () => void }>((resume) => {
      const server = createServer(handler)
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(
          Effect.succeed({
            address: `http://127.0.0.1:${port}/`,
            close: () => {
              server.close()
              server.closeAllConnections()
            }
          })
        )
      })
    }),
    (server) => Effect.sync(server.close)
  ).pipe(Effect.map(({ address }) => address))

const serve = (files: Record<string, string | Uint8Array>, requests: Array<string>) =>
  hub((request, response) => {
    const path = request.url ?? ""
    requests.push(path)
    const content = files[path.replace("/owner/tiny/resolve/main/", "")]
    if (content === undefined) response.writeHead(404).end("Entry not found")
    else response.end(content)
  })

const dimensions = (options: Record<string, unknown>) =>
  Effect.gen(function* () {
    const embedder = Option.getOrThrow(yield* (yield* EmbedderProvider).load(memoryArtifacts()))
    return embedder.dimensions
  }).pipe(Effect.provide(buildEmbedder({ model: "owner/tiny", ...options })))

const good = tinyFiles(tinyEmbedder)

describe("a hub model", () => {
  it.live("is fetched once when offline is off, and used from the cache after that", () =>
    Effect.gen(function* () {
      const cache = yield* temporaryFolder
      const requests: Array<string> = []
      const address = yield* serve({ ...good, "config.json": "{}" }, requests)
      assert.strictEqual(yield* dimensions({ cache, hub: address, offline: false }), 11)
      assert.deepStrictEqual(readdirSync(join(cache, "owner")), ["tiny"])
      assert.deepStrictEqual(readdirSync(join(cache, "owner/tiny")).toSorted(), [
        "config.json",
        "onnx",
        "tokenizer.json"
      ])
      const count = requests.length
      assert.isTrue(requests.every((path) => path.startsWith("/owner/tiny/resolve/main/")))
      assert.strictEqual(yield* dimensions({ cache, hub: address, offline: true }), 11)
      assert.strictEqual(yield* dimensions({ cache, hub: address, offline: false }), 11)
      assert.strictEqual(requests.length, count)
    })
  )

  it.live("is not asked for while offline is on, as it is by default", () =>
    Effect.gen(function* () {
      const cache = yield* temporaryFolder
      const requests: Array<string> = []
      const address = yield* serve(good, requests)
      const error = yield* Effect.flip(dimensions({ cache, hub: address }))
      assert.strictEqual(error._tag, "EmbeddingError")
      assert.deepStrictEqual(requests, [])
    })
  )

  it.live("leaves nothing behind when a file is missing", () =>
    Effect.gen(function* () {
      const cache = yield* temporaryFolder
      const address = yield* serve({ "tokenizer.json": good["tokenizer.json"] ?? "" }, [])
      const error = yield* Effect.flip(dimensions({ cache, hub: address, offline: false }))
      assert.include(error.message, "the hub has no onnx/model.onnx for owner/tiny at main")
      assert.isFalse(existsSync(join(cache, "owner/tiny")))
      assert.deepStrictEqual(readdirSync(dirname(join(cache, "owner/tiny"))), [])
    })
  )

  it.live("is fetched again when a transfer breaks off", () =>
    Effect.gen(function* () {
      const cache = yield* temporaryFolder
      let broken = 0
      const address = yield* hub((request, response) => {
        const file = (request.url ?? "").replace("/owner/tiny/resolve/main/", "")
        const content = file in good ? good[file] : undefined
        if (content === undefined) response.writeHead(404).end()
        else if (file === "onnx/model.onnx" && broken++ === 0) {
          response.writeHead(200, { "content-length": content.length })
          response.write(content.slice(0, 100), () => response.destroy())
        } else response.end(content)
      })
      assert.strictEqual(yield* dimensions({ cache, hub: address, offline: false }), 11)
      assert.strictEqual(broken, 2)
    })
  )

  it.live("is not made of the pages of a login, which come with status 200", () =>
    Effect.gen(function* () {
      const cache = yield* temporaryFolder
      const address = yield* hub((_, response) =>
        response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<html>Sign in</html>")
      )
      const error = yield* Effect.flip(dimensions({ cache, hub: address, offline: false }))
      assert.strictEqual(
        error.message,
        `${address}owner/tiny/resolve/main/tokenizer.json cannot be fetched: a web page came instead; is there a proxy or a login in between?`
      )
      assert.isFalse(existsSync(join(cache, "owner/tiny")))
    })
  )

  it.live("is an error that names the address when the hub does not answer", () =>
    Effect.gen(function* () {
      const cache = yield* temporaryFolder
      const address = yield* hub((_, response) => response.writeHead(503).end())
      const error = yield* Effect.flip(dimensions({ cache, hub: address, offline: false }))
      assert.include(
        error.message,
        `${address}owner/tiny/resolve/main/tokenizer.json cannot be fetched: HTTP status 503`
      )
    })
  )
})
