/**
 * The vector store against a bare inner-product loop in plain JavaScript over the same Float32Array, in one run.
 *
 *     node --expose-gc bench/vectorStore.ts [rows …]        default 10877 100000
 *
 * Prints one line of JSON for each number of rows: medians of single top-5 queries in milliseconds, ratios to the bare
 * loop (below 1 is faster), times of writing, saving and loading, the longest block of the event loop during each.
 */
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ChunkFilter, DataFolder, VectorStoreProvider } from "@omnirag/core/plugin"
import { chunkFields, clusteredVectors } from "@omnirag/core/testing"
import { loadBinding } from "@omnirag/plugins-vectordb/binding"
import { localVectorStore } from "@omnirag/plugins-vectordb/local"

const dimensions = 768
const queries = 31

const median = (times: ReadonlyArray<number>): number =>
  times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN
const round = (value: number): number => Number(value.toPrecision(4))

/** What somebody without any store would write. */
const bareLoop = (data: Float32Array, query: Float32Array, k: number): ReadonlyArray<number> => {
  const best: Array<{ row: number; score: number }> = []
  const rows = data.length / query.length
  for (let row = 0; row < rows; row++) {
    let score = 0
    const start = row * query.length
    for (let i = 0; i < query.length; i++) score += (query[i] as number) * (data[start + i] as number)
    if (best.length === k && score <= (best[k - 1]?.score ?? 0)) continue
    best.push({ row, score })
    best.sort((a, b) => b.score - a.score)
    best.length = Math.min(best.length, k)
  }
  return best.map((one) => one.row)
}

const timed = (action: () => unknown): number => {
  const start = performance.now()
  action()
  return performance.now() - start
}

/**
 * Milliseconds an effect takes; the longest time between two turns of the event loop; and how much of such a time this
 * thread itself was computing, which a busy machine does not lengthen.
 */
const watched = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    // the garbage of building the test data is not the store's
    globalThis.gc?.()
    let wall = 0
    let cpu = 0
    let turn = performance.now()
    let used = process.threadCpuUsage()
    const look = () => {
      const now = performance.now()
      const { system, user } = process.threadCpuUsage(used)
      wall = Math.max(wall, now - turn)
      cpu = Math.max(cpu, (system + user) / 1000)
      turn = now
      used = process.threadCpuUsage()
    }
    const timer = setInterval(look, 1)
    const start = performance.now()
    const value = yield* effect
    const ms = performance.now() - start
    yield* Effect.sleep("2 millis")
    clearInterval(timer)
    return { value, ms: round(ms), block: { wall: round(wall), cpu: round(cpu) } }
  })

const measure = Effect.fn("bench.vectorStore")(function* (rows: number) {
  const data = clusteredVectors(rows, dimensions, 1)
  const queryAt = (i: number) => {
    const row = Math.floor((i * rows) / queries)
    return data.slice(row * dimensions, (row + 1) * dimensions)
  }

  const loaded = loadBinding("auto").binding
  const index = loaded.open(dimensions)
  index.reserve(rows)
  const addTyped = timed(() => index.append(data))
  const share = Math.min(rows, 10_000)
  const values = Array.from(data.subarray(0, share * dimensions))
  const numbers = loadBinding("addon").binding.open(dimensions)
  const addNumbers = timed(() => numbers.append(Float32Array.from(values))) * (rows / share)
  const faissNodeAdd = yield* Effect.sync(() => {
    try {
      const node = loadBinding("faiss-node").binding.open(dimensions)
      node.append(data.subarray(0, share * dimensions))
      // the rows go to faiss-node with the first search
      return timed(() => node.search(queryAt(0), 5)) * (rows / share)
    } catch {
      return undefined
    }
  })

  const spec = { generation: { index: "bench", id: `g-${rows}` }, dimensions }
  const provider = yield* VectorStoreProvider
  const ids = Array.from({ length: rows }, (_, row) => `chunk-${row}`)
  const fields = ids.map((_, row) =>
    chunkFields({
      repo: `repo-${row % 10}`,
      path: `docs/${row % 500}.md`,
      documentId: `repo-${row % 10}/${row % 500}`
    })
  )
  const bare: Array<number> = []
  const binding: Array<number> = []
  const store: Array<number> = []
  const filtered: Array<number> = []
  const saved = yield* Effect.scoped(
    Effect.gen(function* () {
      const open = yield* provider.open(spec)
      const upsert = yield* watched(open.upsert({ ids, fields, vectors: data.slice() }))
      const flush = yield* watched(open.flush)
      const one = yield* watched(
        Effect.andThen(
          open.upsert({
            ids: ids.slice(0, 20),
            fields: fields.slice(0, 20),
            vectors: data.slice(0, 20 * dimensions)
          }),
          open.flush
        )
      )
      // every tenth row, as a run over a tenth of the documents would
      const tenth = ids.filter((_, row) => row % 10 === 0)
      const changed = new Float32Array(tenth.length * dimensions)
      for (const i of tenth.keys())
        changed.set(data.subarray(i * 10 * dimensions, (i * 10 + 1) * dimensions), i * dimensions)
      yield* open.upsert({
        ids: tenth,
        fields: tenth.map((_, i) => fields[i * 10] ?? chunkFields()),
        vectors: changed
      })
      const flushTenth = yield* watched(open.flush)
      const query = yield* watched(
        Effect.gen(function* () {
          for (let i = 0; i < queries; i++) yield* open.query({ vector: queryAt(i), topK: 5 })
        })
      )
      const where = ChunkFilter.equals("repo", "repo-3")
      // turn by turn, so that a busy machine is busy for all
      for (let i = 0; i < queries; i++) {
        const vector = queryAt(i)
        const start = performance.now()
        const hits = yield* open.query({ vector, topK: 5 })
        store.push(performance.now() - start)
        const again = performance.now()
        yield* open.query({ vector, topK: 5, where })
        filtered.push(performance.now() - again)
        binding.push(timed(() => index.search(vector, 5)))
        let expected: ReadonlyArray<number> = []
        bare.push(timed(() => void (expected = bareLoop(data, vector, 5))))
        if (hits.map((hit) => hit.id).join() !== expected.map((row) => `chunk-${row}`).join())
          return yield* Effect.die(new Error("the store and the bare loop disagree"))
      }
      return { upsert, flush, one, flushTenth, query }
    })
  )
  const load = yield* watched(Effect.scoped(Effect.flatMap(provider.open(spec), (open) => open.count())))
  // a busy machine takes the processor away from an idle loop too: what that costs
  const idle = yield* watched(Effect.sleep(`${Math.max(200, Math.round(saved.upsert.ms))} millis`))
  yield* provider.drop(spec.generation)
  index.dispose()

  console.log(
    JSON.stringify({
      bench: "vectorStore",
      rows,
      dimensions,
      binding: `${loaded.name}: ${loaded.description}`,
      medianMs: {
        bareLoop: round(median(bare)),
        binding: round(median(binding)),
        store: round(median(store)),
        storeFilter10Percent: round(median(filtered))
      },
      ratioToBareLoop: {
        binding: round(median(binding) / median(bare)),
        store: round(median(store) / median(bare))
      },
      addMs: {
        float32Array: round(addTyped),
        numbersThroughAddon: round(addNumbers),
        ...(faissNodeAdd === undefined ? {} : { faissNode: round(faissNodeAdd) })
      },
      addRatio: round((faissNodeAdd ?? addNumbers) / addTyped),
      ms: {
        upsert: saved.upsert.ms,
        flush: saved.flush.ms,
        change20RowsAndFlush: saved.one.ms,
        flushAfter10PercentChanged: saved.flushTenth.ms,
        loadWithThatJournal: load.ms
      },
      longestBlockMs: {
        upsert: saved.upsert.block,
        flush: saved.flush.block,
        flushAfter10PercentChanged: saved.flushTenth.block,
        query: saved.query.block,
        load: load.block,
        idleForComparison: idle.block
      }
    })
  )
})

const folder = mkdtempSync(join(tmpdir(), "omnirag-bench-"))
const store = localVectorStore({ name: "faiss", index: { binding: "auto", graph: undefined } }).pipe(
  Layer.provide(Layer.succeed(DataFolder, { path: folder, of: ({ id }) => join(folder, id) }))
)
const sizes = process.argv.slice(2).map(Number)
await Effect.runPromise(
  Effect.forEach(sizes.length > 0 ? sizes : [10_877, 100_000], measure, { discard: true }).pipe(
    Effect.provide(store),
    Effect.ensuring(Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  )
)
