import { assert } from "@effect/vitest"
import { Deferred, Effect, PubSub, type Scope, Stream } from "effect"
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

export const modelsFolder =
  process.env["OMNIRAG_MODELS"] ?? fileURLToPath(new URL("../../../.models", import.meta.url))
const binary = join(modelsFolder, "bin", "ollama")

/** True when scripts/fetch-ollama.sh has built a server. */
export const hasOllama = existsSync(binary)

export interface RealOllama {
  readonly url: string
  /** Makes a model out of files, by their names. */
  readonly create: (
    model: string,
    files: Readonly<Record<string, Buffer>>,
    template?: string
  ) => Effect.Effect<void>
  /** Waits for a line of the server's log that comes after this is called. */
  readonly logged: (pattern: RegExp) => Effect.Effect<Effect.Effect<string | undefined>, never, Scope.Scope>
}

/** Sends what the test needs before it can begin; a refusal is a defect. */
const post = (url: string, body: string | Buffer) =>
  Effect.promise(async () => {
    const response = await fetch(url, { method: "POST", body: new Uint8Array(Buffer.from(body)) })
    assert.isTrue(response.ok, `${url}: ${response.status} ${await response.text()}`)
  })

/** Starts a real Ollama server on a free port with an empty folder of models; both go with the scope. */
export const startOllama: Effect.Effect<RealOllama, never, Scope.Scope> = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "omnirag-ollama-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )
  const lines = yield* PubSub.unbounded<string>()
  const port = yield* Deferred.make<string>()
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const server = spawn(binary, ["serve"], {
        env: { ...process.env, OLLAMA_HOST: "127.0.0.1:0", OLLAMA_MODELS: folder, OLLAMA_DEBUG: "0" },
        stdio: ["ignore", "pipe", "pipe"]
      })
      for (const output of [server.stdout, server.stderr]) {
        createInterface({ input: output }).on("line", (line) => {
          const listening = /Listening on 127\.0\.0\.1:(\d+)/.exec(line)?.[1]
          if (listening !== undefined) Deferred.doneUnsafe(port, Effect.succeed(listening))
          PubSub.publishUnsafe(lines, line)
        })
      }
      return server
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.once("exit", () => resume(Effect.void))
        server.kill("SIGTERM")
      })
  )
  const url = `http://127.0.0.1:${yield* Deferred.await(port)}`
  const create: RealOllama["create"] = Effect.fnUntraced(function* (model, files, template) {
    const digests: Record<string, string> = {}
    for (const [name, bytes] of Object.entries(files)) {
      const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`
      digests[name] = digest
      yield* post(`${url}/api/blobs/${digest}`, bytes)
    }
    yield* post(`${url}/api/create`, JSON.stringify({ model, files: digests, template, stream: false }))
  })
  const logged: RealOllama["logged"] = Effect.fnUntraced(function* (pattern) {
    const subscription = yield* PubSub.subscribe(lines)
    return Stream.fromSubscription(subscription).pipe(
      Stream.filter((line) => pattern.test(line)),
      Stream.take(1),
      Stream.runCollect,
      Effect.map(([line]) => line)
    )
  })
  return { url, create, logged }
})
