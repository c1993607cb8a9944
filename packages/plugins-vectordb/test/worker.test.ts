import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { Worker } from "node:worker_threads"
import { VectorStoreProvider } from "@omnirag/core/app"
import { allIds, batchOf, chunkFields, unit } from "@omnirag/core/testing"
import { type LocalStoreOptions, localVectorStore } from "../src/local/LocalVectorStore.ts"
import { bindings } from "./bindings.ts"
import { inFolder } from "./store.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const folder = temporaryFolder()

/** What a module and those it imports, types left aside, load from outside this package. */
const loadedBy = (file: string, seen = new Set<string>()): ReadonlyArray<string> => {
  if (seen.has(file)) return []
  seen.add(file)
  const imports = readFileSync(file, "utf8").matchAll(
    /^(?:import|export) (?!type )(?:[\w*{},\s]+ from )?"([^"]+)"/gm
  )
  return [...imports].flatMap(([, from = ""]) =>
    from.startsWith(".") ? loadedBy(resolve(dirname(file), from), seen) : [from]
  )
}
const spec = (id: string) => ({ generation: { index: "test", id }, dimensions: 2 })
const layer = (options: Partial<LocalStoreOptions> = {}) =>
  localVectorStore({ name: "exact", index: { binding: "exact", graph: undefined }, ...options }).pipe(
    Layer.provide(inFolder(folder))
  )

describe("the vector thread", () => {
  it("loads nothing that makes its start slow", () => {
    const entry = fileURLToPath(new URL("../src/local/worker/vector.worker.ts", import.meta.url))
    const outside = loadedBy(entry).filter((name) => !name.startsWith("node:"))
    assert.deepStrictEqual([...new Set(outside)].toSorted(), ["@omnirag/core/batch", "@omnirag/core/filter"])
    for (const door of ["domain/compileFilter.ts", "ports/vectorStore/batchFault.ts"]) {
      const file = fileURLToPath(new URL(`../../core/src/${door}`, import.meta.url))
      assert.deepStrictEqual(loadedBy(file), [])
    }
  })

  it.live("dies of too little memory: pending and later calls fail typed, the next open starts afresh", () =>
    Effect.gen(function* () {
      const provider = yield* VectorStoreProvider
      yield* Effect.scoped(
        Effect.gen(function* () {
          const store = yield* provider.open(spec("c"))
          yield* store.upsert(batchOf([{ id: "kept", vector: [1, 0] }]))
          yield* store.flush
          const rows = 20_000
          const ids = Array.from({ length: rows }, (_, i) => `row${i}`)
          const fields = ids.map((id) =>
            chunkFields({ metadata: { list: Array.from({ length: 200 }, (_, i) => `${id} ${i}`) } })
          )
          const vectors = Float32Array.from({ length: rows * 2 }, (_, i) => (i % 2 === 0 ? 1 : 0))
          const failed = yield* Effect.flip(store.upsert({ ids, fields, vectors }))
          assert.strictEqual(failed.reason, "unavailable")
          const after = yield* Effect.flip(store.count())
          assert.strictEqual(after._tag === "VectorStoreError" && after.reason, "unavailable")
        })
      )
      yield* Effect.scoped(
        Effect.gen(function* () {
          const store = yield* provider.open(spec("c"))
          assert.deepStrictEqual(yield* allIds(store), ["kept"])
        })
      )
    }).pipe(Effect.provide(layer({ name: "small", workerLimits: { maxOldGenerationSizeMb: 96 } })))
  )

  it.live("is one for all collections, and a collection opened twice is the same", () =>
    Effect.gen(function* () {
      const provider = yield* VectorStoreProvider
      const first = yield* provider.open(spec("shared"))
      const second = yield* Effect.scoped(
        Effect.gen(function* () {
          const store = yield* provider.open(spec("shared"))
          yield* store.upsert(batchOf([{ id: "a", vector: [1, 0] }]))
          return store
        })
      )
      assert.deepStrictEqual(yield* first.query({ vector: unit(1, 0), topK: 1 }), [{ id: "a", score: 1 }])
      const closed = yield* Effect.flip(second.count())
      assert.strictEqual(closed._tag === "VectorStoreError" && closed.reason, "closed")
      yield* provider.drop(spec("shared").generation)
      const dropped = yield* Effect.flip(first.count())
      assert.strictEqual(dropped._tag === "VectorStoreError" && dropped.reason, "closed")
    }).pipe(Effect.provide(layer()))
  )

  it.live("a batch in a part of a larger buffer leaves the rest of that buffer usable", () =>
    Effect.gen(function* () {
      const provider = yield* VectorStoreProvider
      const store = yield* provider.open(spec("views"))
      const all = Float32Array.of(1, 0, 0, 1)
      const { fields, ids } = batchOf([{ id: "a", vector: [1, 0] }])
      yield* store.upsert({ ids, fields, vectors: all.subarray(2, 4) })
      assert.deepStrictEqual(Array.from(all), [1, 0, 0, 1])
      assert.deepStrictEqual(yield* store.query({ vector: all.subarray(2, 4), topK: 1 }), [
        { id: "a", score: 1 }
      ])
    }).pipe(Effect.provide(layer()))
  )

  // a process of its own, so that an abort is seen
  const program = fileURLToPath(new URL("./leaveOpen.ts", import.meta.url))
  for (const { binding, skip } of bindings)
    it.skipIf(skip !== undefined)(
      `does not keep the process alive nor crash it at its end: ${binding}${skip === undefined ? "" : ` (${skip})`}`,
      async () => {
        const { stdout } = await promisify(execFile)(process.execPath, [
          program,
          join(folder, binding),
          binding
        ])
        assert.strictEqual(stdout, "a\n")
      }
    )

  const addon = bindings.find((one) => one.binding === "addon")?.skip
  it.skipIf(addon !== undefined)("the addon can be loaded by several threads at once", async () => {
    const file = fileURLToPath(new URL("../build/faiss.node", import.meta.url))
    const source = `
      const { FlatIndex } = require(${JSON.stringify(file)})
      for (let i = 0; i < 50; i++) {
        const index = new FlatIndex(8)
        index.append(new Float32Array(8 * 1000))
        index.search(new Float32Array(8), 3)
      }`
    const codes = await Promise.all(
      [1, 2, 3].map(
        () =>
          new Promise((resolve, reject) => {
            const worker = new Worker(source, { eval: true })
            worker.on("exit", resolve)
            worker.on("error", reject)
          })
      )
    )
    assert.deepStrictEqual(codes, [0, 0, 0])
  })
})
