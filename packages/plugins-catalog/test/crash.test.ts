import {
  type CatalogProvider,
  DataFolder,
  type GenerationRef,
  GenerationRegistry,
  textHash
} from "@omnirag/core/app"
import { allChunkIds, countsOf } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { layer, newGeneration, openCatalog, withCatalog } from "./catalogLayer.ts"
import { versionedEntry } from "./fixtures/versionedEntry.ts"

const writer = join(import.meta.dirname, "fixtures", "endlessWriter.ts")

/** Starts the writer; `onLine` sees each step it reports and may kill it. Gives the number of steps it reported. */
const runWriter = (
  data: string,
  generation: GenerationRef,
  onLine: (steps: number, kill: () => void, pid: number) => void
) =>
  Effect.callback<number>((resume) => {
    const child = spawn(process.execPath, [writer, data, generation.index, generation.id], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    let steps = 0
    child.stdout.setEncoding("utf8")
    child.stdout.on("data", (text: string) => {
      steps += text.split("\n").length - 1
      onLine(steps, () => child.kill("SIGKILL"), child.pid ?? -1)
    })
    child.on("error", (error) => resume(Effect.die(error)))
    child.on("close", (_, signal) =>
      resume(
        signal === "SIGKILL"
          ? Effect.succeed(steps)
          : Effect.die(new Error(`the writer ended with ${signal}`))
      )
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const assertWhole = (generation: GenerationRef, steps: number) =>
  withCatalog(generation, (catalog) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* catalog.check, [])
      let chunks = 0
      for (let index = 0; index < 20; index++) {
        const path = `${index}.md`
        const record = Option.getOrUndefined(yield* catalog.documents.get(`repo/${path}`))
        if (record === undefined) continue
        const expected = versionedEntry(path, record.title === "Version 1" ? 1 : 0)
        chunks += expected.chunks.length
        assert.deepStrictEqual(record.metadata, expected.document.metadata)
        assert.deepStrictEqual(yield* catalog.documents.text(record.id), Option.some(expected.document.text))
        assert.deepStrictEqual(yield* catalog.chunks.ofDocument(record.id), expected.chunks)
        const hashes = expected.chunks.map((chunk) => textHash(chunk.text))
        assert.strictEqual((yield* catalog.cache.get("model", "document", hashes)).size, new Set(hashes).size)
      }
      const counts = yield* countsOf(catalog)
      assert.strictEqual(counts.chunks, chunks)
      // what the writer had reported before it died is there
      assert.isAtLeast(counts.documents, Math.min(steps, 20))
      // no write is lost to the vector store: every chunk is in the outbox, with its vector
      const pending = yield* catalog.outbox.pending("model", 10_000)
      assert.deepStrictEqual(
        pending
          .filter((item) => item._tag === "Upsert")
          .map((item) => item.chunkId)
          .toSorted(),
        yield* allChunkIds(catalog)
      )
    })
  )

describe("a writer that is killed", () => {
  it.live("leaves every document wholly old or wholly new", () =>
    Effect.gen(function* () {
      const { generation } = yield* newGeneration
      const { path } = yield* DataFolder
      for (const killAt of [1, 7, 20, 33, 90]) {
        const steps = yield* runWriter(path, generation, (done, kill) => {
          if (done >= killAt) kill()
        })
        yield* assertWhole(generation, steps)
      }
    }).pipe(Effect.provide(layer))
  )

  it.live("held the write lock until it died, and no longer", () =>
    Effect.gen(function* () {
      const { generation } = yield* newGeneration
      const { path } = yield* DataFolder
      const { lock } = yield* GenerationRegistry
      const services = yield* Effect.context()
      const refused: Array<string> = []
      let pid = -1
      yield* runWriter(path, generation, (_, kill, writerPid) => {
        pid = writerPid
        Effect.runForkWith(services)(
          Effect.map(Effect.flip(Effect.scoped(lock("the test"))), (error) => {
            refused.push(`${error._tag}: ${error.message}`)
            kill()
          })
        )
      })
      assert.isNotEmpty(refused)
      for (const message of refused)
        assert.include(message, `IndexLocked: the index is being written by process ${pid}`)
      yield* Effect.scoped(lock("the test"))
    }).pipe(Effect.provide(layer))
  )

  it.live("did not hold up a reader of another process", () =>
    Effect.gen(function* () {
      const { generation } = yield* newGeneration
      const { path } = yield* DataFolder
      const services = yield* Effect.context<CatalogProvider>()
      const seen: Array<number> = []
      yield* runWriter(path, generation, (_, kill) => {
        // the catalog is read from here while the other process goes on writing
        const total = Effect.runSyncWith(services)(
          Effect.scoped(
            Effect.gen(function* () {
              const reader = yield* openCatalog(generation, { readOnly: true })
              for (let index = 0; index < 20; index++) {
                const record = Option.getOrUndefined(yield* reader.documents.get(`repo/${index}.md`))
                if (record === undefined) continue
                const chunks = yield* reader.chunks.ofDocument(record.id)
                assert.isTrue(chunks.length === 5 || chunks.length === 10)
              }
              return (yield* reader.documents.list({ first: 100 })).total
            })
          )
        )
        if (seen.push(total) >= 5) kill()
      })
      assert.isAtLeast(seen.length, 5)
      assert.isTrue(seen.every((total, index) => total > 0 && total >= (seen[index - 1] ?? 0)))
    }).pipe(Effect.provide(layer))
  )
})
