import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { applyOutbox } from "../../src/index/applyOutbox.ts"
import type { Catalog } from "../../src/ports/catalog/Catalog.ts"
import type { Outbox, OutboxItem } from "../../src/ports/catalog/Outbox.ts"
import type { Embedder } from "../../src/ports/EmbedderProvider.ts"
import type { VectorStore } from "../../src/ports/VectorStoreProvider.ts"

/** A part of which only what is given here may be used. */
const part = <A>(given: Partial<A>): A =>
  new Proxy(given, {
    get: (target, key) => {
      if (!(key in target)) throw new Error(`${String(key)} should not be asked for`)
      return Reflect.get(target, key)
    }
  }) as A

describe("applyOutbox", () => {
  it.effect("makes writes durable, tells other processes, and only then forgets them", () =>
    Effect.gen(function* () {
      const steps: Array<string> = []
      const step = (name: string) => Effect.sync(() => void steps.push(name))
      let pending: ReadonlyArray<OutboxItem> = [{ _tag: "Remove", sequence: 7, chunkId: "gone" }]
      const catalog = part<Catalog>({
        outbox: part<Outbox>({
          count: Effect.succeed(1),
          pending: () => Effect.sync(() => pending),
          confirm: (sequences) =>
            Effect.sync(() => {
              steps.push(`confirm ${sequences.join()}`)
              pending = []
            })
        })
      })
      const store = part<VectorStore>({
        delete: (ids) => step(`delete ${ids.join()}`),
        flush: step("flush")
      })
      const embedder = part<Embedder>({ fingerprint: "f", dimensions: 2 })
      assert.strictEqual(yield* applyOutbox(catalog, { embedder, store, words: false }, step("tell")), 1)
      assert.deepStrictEqual(steps, ["delete gone", "flush", "tell", "confirm 7"])
    })
  )
})
