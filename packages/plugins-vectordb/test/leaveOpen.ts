import { Effect, Layer, Scope } from "effect"
import { VectorStoreProvider } from "@omnirag/core/app"
import { allIds, batchOf } from "@omnirag/core/testing"
import { bindingChoices } from "../src/local/binding/loadBinding.ts"
import { localVectorStore } from "../src/local/LocalVectorStore.ts"
import { generation, inFolder } from "./store.ts"

// node leaveOpen.ts FOLDER BINDING: writes one row, prints the ids and ends without closing the collection

const [, , folder = "", name] = process.argv
const binding = bindingChoices.find((choice) => choice === name) ?? "auto"

const ids = await Effect.runPromise(
  Effect.gen(function* () {
    const provider = yield* VectorStoreProvider
    const store = yield* provider.open({ generation, dimensions: 2 })
    yield* store.upsert(batchOf([{ id: "a", vector: [1, 0] }]))
    yield* store.query({ vector: Float32Array.of(1, 0), topK: 1 })
    return yield* allIds(store)
  }).pipe(
    Effect.provide(
      localVectorStore({ name: "left", index: { binding, graph: undefined } }).pipe(
        Layer.provide(inFolder(folder))
      )
    ),
    Effect.provideService(Scope.Scope, Scope.makeUnsafe())
  )
)
console.log(ids.join())
