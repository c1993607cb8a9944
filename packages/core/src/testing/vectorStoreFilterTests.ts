import { assert, describe } from "@effect/vitest"
import { Effect, Option } from "effect"
import { compare, equals, type Filter } from "../domain/Filter.ts"
import { planFilter } from "../index/filters/planFilter.ts"
import { undeclaredPart } from "../ports/vectorStore/declaresFilter.ts"
import { maxIds, type VectorQuery, type VectorStore } from "../ports/VectorStoreProvider.ts"
import { memoryFilterCatalog } from "./memoryFilterCatalog.ts"
import { filterMatrix, matrixRows } from "./vectorStoreFilterMatrix.ts"
import { counted, type VectorStoreHarness, whenVisible } from "./vectorStoreHarness.ts"
import { batchOf, unit } from "./vectorStoreRows.ts"

const vector = unit(1, 0)

/** The matrix's rows, all alike but for their fields. */
const writeMatrix = (store: VectorStore) =>
  store.upsert(batchOf(Object.entries(matrixRows).map(([id, fields]) => ({ id, vector, fields }))))

const found = (store: VectorStore, limits: Pick<VectorQuery, "where" | "ids">) =>
  Effect.map(store.query({ vector, topK: 10, ...limits }), (hits) => hits.map((hit) => hit.id).toSorted())

const isDeclared = (store: VectorStore, where: Filter): boolean =>
  undeclaredPart(store.capabilities.filters, where) === undefined

/** What a store declares it evaluates, evaluated as `compileFilter` does; what it does not declare, refused. */
export const vectorStoreFilterTests = <E>({ test }: VectorStoreHarness<E>): void => {
  describe("filters", () => {
    test("declares eq and in on every type", 2, (store) =>
      Effect.sync(() => {
        for (const operators of Object.values(store.capabilities.filters.operators))
          for (const operator of ["eq", "in"] as const) assert.isTrue(operators.has(operator), operator)
      })
    )

    test("matrix: operator × value, those that are declared", 2, (store) =>
      Effect.gen(function* () {
        yield* writeMatrix(store)
        const declared = filterMatrix.filter(({ where }) => isDeclared(store, where))
        assert.isAbove(declared.length, 20)
        yield* whenVisible(
          store,
          Effect.gen(function* () {
            const wrong: Array<unknown> = []
            for (const { ids, title, where } of declared) {
              const got = yield* found(store, { where })
              if (got.join() !== ids.join()) wrong.push({ title, expected: ids, got })
            }
            assert.deepStrictEqual(wrong, [])
            for (const { ids, where } of declared) yield* counted(store, ids.length, where)
          })
        )
      })
    )

    test("matrix: what is not declared is refused, never ignored", 2, (store) =>
      Effect.gen(function* () {
        yield* writeMatrix(store)
        for (const { title, where } of filterMatrix) {
          if (isDeclared(store, where)) continue
          for (const asked of [found(store, { where }), store.count(where), store.deleteWhere(where)])
            assert.strictEqual((yield* Effect.flip(asked))._tag, "InvalidInput", title)
        }
        yield* whenVisible(
          store,
          Effect.map(found(store, {}), (ids) => assert.deepStrictEqual(ids, Object.keys(matrixRows)))
        )
      })
    )

    test("matrix: with what the catalog resolves, every filter finds its rows", 2, (store) =>
      Effect.gen(function* () {
        yield* writeMatrix(store)
        const catalog = memoryFilterCatalog(new Map(Object.entries(matrixRows)))
        yield* whenVisible(
          store,
          Effect.gen(function* () {
            const wrong: Array<unknown> = []
            for (const { ids, title, where } of filterMatrix) {
              const plan = yield* planFilter(where, store, catalog)
              const got = Option.isNone(plan) ? [] : yield* found(store, plan.value)
              if (got.join() !== ids.join()) wrong.push({ title, expected: ids, got })
            }
            assert.deepStrictEqual(wrong, [])
          })
        )
      })
    )

    test("apply before the top k: 3 far rows among 1,000 near ones (T12)", 2, (store) =>
      Effect.gen(function* () {
        const near = Array.from({ length: 1000 }, (_, i) => ({
          id: `near-${i}`,
          vector: unit(1, i / 10_000),
          fields: { repo: "A" }
        }))
        const far = [0.3, 0.1, 0.2].map((x, i) => ({
          id: `far-${i}`,
          vector: unit(-x, 1),
          fields: { repo: "B" }
        }))
        yield* store.upsert(batchOf([...near, ...far]))
        yield* whenVisible(
          store,
          Effect.gen(function* () {
            const hits = yield* store.query({ vector, topK: 3, where: equals("repo", "B") })
            assert.deepStrictEqual(
              hits.map((hit) => hit.id),
              ["far-1", "far-2", "far-0"]
            )
            assert.deepStrictEqual(yield* store.query({ vector, topK: 3, where: equals("repo", "C") }), [])
          })
        )
      })
    )

    test("an unknown field is an error, not an empty result", 2, (store) =>
      Effect.gen(function* () {
        yield* store.upsert(batchOf([{ id: "a", vector: [1, 0] }]))
        const where = equals("repository", "repo")
        const asked = yield* Effect.flip(store.query({ vector: unit(1, 0), topK: 1, where }))
        assert.strictEqual(asked._tag, "InvalidInput")
        assert.include(asked.message, "repository")
        assert.strictEqual((yield* Effect.flip(store.count(where)))._tag, "InvalidInput")
        assert.strictEqual((yield* Effect.flip(store.deleteWhere(where)))._tag, "InvalidInput")
        yield* whenVisible(store, counted(store, 1))
      })
    )

    test("a list of documents as long as a plan makes one, beside other conditions", 2, (store) =>
      Effect.gen(function* () {
        const row = (id: string, repo: string) => ({ id, vector, fields: { documentId: `d-${id}`, repo } })
        yield* store.upsert(batchOf([row("a", "r"), row("b", "r"), row("c", "s")]))
        const values = Array.from({ length: maxIds - 2 }, (_, n) => `none-${n}`)
        const documents: Filter = {
          _tag: "In",
          field: "documentId",
          values: [...values, "d-b", "d-c"],
          negated: false
        }
        const where: Filter = { _tag: "And", filters: [documents, equals("repo", "r")] }
        yield* whenVisible(
          store,
          Effect.map(found(store, { where }), (ids) => assert.deepStrictEqual(ids, ["b"]))
        )
      })
    )
  })
}

/** A filter on pages that holds for the pages above this one, or, where order is not declared, for one of them. */
export const abovePage = (store: VectorStore, page: number, one: number): Filter => {
  const above = compare("page", "gt", page)
  return isDeclared(store, above) ? above : equals("page", one)
}
