import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HealthChecks, VectorStoreProvider } from "@omnirag/core/app"
import { exact, faiss } from "../src/index.ts"
import { loadBinding } from "../src/local/binding/loadBinding.ts"
import { bindings } from "./bindings.ts"
import { generation, inFolder } from "./store.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const services = Layer.merge(inFolder(temporaryFolder()), HealthChecks.layer)
const run = Effect.flatMap(HealthChecks, (checks) => checks.run)
const checked = (options: unknown) =>
  run.pipe(Effect.provide(faiss.build(options).pipe(Layer.provideMerge(services))))
const has = (name: string) => bindings.find((one) => one.binding === name)?.skip === undefined

describe("the health check of the local stores", () => {
  it.live("names the binding and the index", () =>
    Effect.gen(function* () {
      for (const { binding, skip } of bindings) {
        if (skip !== undefined) continue
        const { description } = loadBinding(binding).binding
        assert.deepStrictEqual(yield* checked({ binding }), [
          { name: "vectors", healthy: true, optional: false, detail: `${description}, flat` }
        ])
      }
      const plain = run.pipe(Effect.provide(exact.build({}).pipe(Layer.provideMerge(services))))
      assert.deepStrictEqual(yield* plain, [
        { name: "vectors", healthy: true, optional: false, detail: "plain TypeScript scan, flat" }
      ])
    })
  )

  it.live("says what to install where a binding is missing or auto ends in the plain scan", () =>
    Effect.gen(function* () {
      const [auto] = yield* checked({})
      assert.isTrue(auto?.healthy)
      if (has("addon"))
        assert.match(auto?.detail ?? "", /^addon \(libfaiss .*, (avx512|avx2|baseline)\), flat$/)
      else if (!has("faiss-node")) assert.match(auto?.detail ?? "", /plain TypeScript.*libfaiss-dev/)
      const [graph] = yield* checked({ index: "hnsw" })
      assert.strictEqual(graph?.healthy, has("addon"))
      assert.match(
        graph?.detail ?? "",
        has("addon") ? /hnsw \(m 32, efConstruction 40, efSearch 128\)$/ : /libfaiss-dev/
      )
    })
  )
})

describe("the option index: hnsw", () => {
  it.live("is refused with a binding that has no graph", () =>
    Effect.gen(function* () {
      for (const binding of ["exact", "faiss-node"]) {
        const error = yield* Effect.flip(checked({ index: "hnsw", binding }))
        assert.strictEqual(error._tag, "PluginError")
        assert.match(error.message, /options\.index: hnsw needs binding: addon/)
      }
      for (const bad of [{ m: 3 }, { efConstruction: 0 }, { efSearch: 12.5 }, { index: "ivf" }])
        assert.strictEqual((yield* faiss.check(bad)).length, 1)
    })
  )

  it.live("opens with the addon, and without it says what to install", () =>
    Effect.gen(function* () {
      const provider = yield* VectorStoreProvider
      const opened = yield* Effect.result(Effect.scoped(provider.open({ generation, dimensions: 3 })))
      assert.strictEqual(opened._tag, has("addon") ? "Success" : "Failure")
      if (opened._tag === "Failure") assert.match(opened.failure.message, /libfaiss-dev/)
    }).pipe(Effect.provide(faiss.build({ index: "hnsw" }).pipe(Layer.provide(services))))
  )
})
