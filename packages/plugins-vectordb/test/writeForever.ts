import { Effect, Layer } from "effect"
import { VectorStoreProvider } from "@omnirag/core/app"
import { allIds, batchOf, unit } from "@omnirag/core/testing"
import { localVectorStore } from "../src/local/LocalVectorStore.ts"
import { generation, inFolder } from "./store.ts"

// node writeForever.ts FOLDER: replaces all rows by those of the next round, and prints the round once it is flushed

const [, , folder = ""] = process.argv
const rows = 200

const program = Effect.gen(function* () {
  const provider = yield* VectorStoreProvider
  const store = yield* provider.open({ generation, dimensions: 4 })
  const ids = yield* allIds(store)
  const first = ids.length === 0 ? 0 : Number(ids[0]?.split("-")[0]) + 1
  for (let round = first; ; round++) {
    // padded, so that ids sort by round
    const name = String(round).padStart(6, "0")
    yield* store.delete(yield* allIds(store))
    yield* store.upsert(
      batchOf(Array.from({ length: rows }, (_, i) => ({ id: `${name}-${i}`, vector: unit(1, i, round, 0) })))
    )
    yield* store.flush
    yield* Effect.sync(() => process.stdout.write(`${round}\n`))
  }
})
await Effect.runPromise(
  Effect.scoped(program).pipe(
    Effect.provide(
      localVectorStore({ name: "exact", index: { binding: "exact", graph: undefined } }).pipe(
        Layer.provide(inFolder(folder))
      )
    )
  )
)
