import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { clusteredVectors, seeded } from "@omnirag/core/testing"
import { ExactIndex } from "../src/local/binding/exactBinding.ts"
import type { FlatIndex, GraphIndex, GraphOptions } from "../src/local/binding/FaissBinding.ts"
import { loadBinding } from "../src/local/binding/loadBinding.ts"
import { bindings } from "./bindings.ts"

const skip = bindings.find((one) => one.binding === "addon")?.skip

const openGraph = (dimensions: number, options: Partial<GraphOptions>): GraphIndex => {
  const made = loadBinding("addon").binding.openGraph?.(dimensions, {
    m: 16,
    efConstruction: 40,
    efSearch: 64,
    searchCost: 0,
    ...options
  })
  if (made === undefined) throw new Error("the addon has no graph")
  return made
}

const linkAll = (index: GraphIndex): void => {
  while (index.link(50));
  assert.strictEqual(index.linked, index.rows)
}

const scoresByRow = (index: FlatIndex, query: Float32Array, k: number) => {
  const { rows, scores } = index.search(query, k)
  return new Map(Array.from(rows, (row, i) => [row, scores[i] ?? 9] as const).toSorted(([a], [b]) => a - b))
}

const sameOrder = (rows: number) => Uint32Array.from({ length: rows }, (_, row) => row)

/** The share of the true hits, and whether every score is the exact one. */
const recall = (index: FlatIndex, exact: FlatIndex, queries: ReadonlyArray<Float32Array>, k: number) => {
  let found = 0
  let wanted = 0
  for (const query of queries) {
    const got = scoresByRow(index, query, k)
    assert.isAtLeast(got.size, k)
    const all = scoresByRow(exact, query, exact.rows)
    for (const [row, score] of got) assert.strictEqual(score, all.get(row))
    for (const row of scoresByRow(exact, query, k).keys()) {
      wanted++
      if (got.has(row)) found++
    }
  }
  return found / wanted
}

describe.skipIf(skip !== undefined)(`HNSW${skip === undefined ? "" : ` (${skip})`}`, () => {
  it("recall@10 is at least .95 with efSearch 64, after deletions, overwrites and a rebuild", () => {
    const dimensions = 128
    const count = 10_000
    const data = clusteredVectors(count + 4000, dimensions, 1)
    const vectorAt = (i: number) => data.slice(i * dimensions, (i + 1) * dimensions)
    const graph = openGraph(dimensions, { m: 32 })
    const exact = loadBinding("addon").binding.open(dimensions)
    const both = [graph, exact]
    for (const index of both) index.append(data.slice(0, count * dimensions))
    linkAll(graph)
    // the graph is what answers: a poor one finds less
    const poor = openGraph(dimensions, { m: 4, efConstruction: 8, efSearch: 8 })
    poor.append(data.slice(0, count * dimensions))
    linkAll(poor)
    const next = seeded(5)
    const anyRow = () => Math.floor(next() * exact.rows)
    const queries = () => Array.from({ length: 100 }, () => vectorAt(Math.floor(next() * (count + 4000))))
    assert.isAtLeast(recall(graph, exact, queries(), 10), 0.95)
    assert.isBelow(recall(poor, exact, queries(), 10), 0.95)
    // under a quarter of the nodes die: they stay as signposts
    let fresh = count
    for (let i = 0; i < 1000; i++) {
      const [removed, written] = [anyRow(), anyRow()]
      for (const index of both) {
        index.write(written, vectorAt(fresh))
        index.remove(removed)
      }
      fresh++
    }
    assert.isBelow(graph.linked, graph.rows)
    assert.isAtLeast(recall(graph, exact, queries(), 10), 0.95)
    linkAll(graph)
    assert.isAtLeast(recall(graph, exact, queries(), 10), 0.95)
    // over a quarter: it begins anew
    for (let i = 0; i < 3000; i++) {
      const written = anyRow()
      for (const index of both) index.write(written, vectorAt(fresh))
      fresh++
    }
    assert.isTrue(graph.link(0))
    assert.isBelow(graph.linked, 200)
    assert.strictEqual(recall(graph, exact, queries(), 10), 1)
    linkAll(graph)
    assert.isAtLeast(recall(graph, exact, queries(), 10), 0.95)
    const copy = openGraph(dimensions, { m: 32 })
    const rows = new Float32Array(exact.rows * dimensions)
    exact.read(0, rows)
    copy.append(rows)
    copy.restoreGraph(graph.saveGraph(), sameOrder(copy.rows))
    assert.strictEqual(copy.linked, copy.rows)
    for (const query of queries()) assert.deepStrictEqual(copy.search(query, 10), graph.search(query, 10))
    for (const index of [...both, copy]) index.dispose()
  })

  it("hundreds of equal vectors hide nothing and all count for ties", () => {
    const dimensions = 16
    const data = clusteredVectors(2000, dimensions, 3)
    const one = data.slice(0, dimensions)
    for (let row = 500; row < 1500; row++) data.set(one, row * dimensions)
    const graph = openGraph(dimensions, { efSearch: 20 })
    const exact = new ExactIndex(dimensions)
    for (const index of [graph, exact]) index.append(data)
    linkAll(graph)
    assert.strictEqual(graph.search(one, 10).rows.length, 1001)
    const queries = Array.from({ length: 50 }, (_, i) => data.slice(i * dimensions, (i + 1) * dimensions))
    let found = 0
    for (const query of queries) {
      const got = scoresByRow(graph, query, 10)
      for (const row of scoresByRow(exact, query, 10).keys()) if (got.has(row)) found++
      assert.strictEqual(got.size >= 10, true)
    }
    assert.isAbove(found, 0.95 * 50 * 10)
  })

  it("a neighbourhood that was deleted leaves k hits", () => {
    const graph = openGraph(2, { efSearch: 8 })
    const near = (i: number) => Float32Array.of(Math.cos(i / 1e4), Math.sin(i / 1e4))
    for (let i = 0; i < 100; i++) graph.append(near(i))
    for (let i = 0; i < 400; i++) graph.append(near(10_000 + i))
    linkAll(graph)
    for (let i = 99; i >= 0; i--) graph.remove(i)
    assert.strictEqual(graph.search(near(0), 10).rows.length, 10)
    graph.dispose()
  })

  const dimensions = 5
  const pool = clusteredVectors(60, dimensions, 3)
  const vectorAt = (i: number) => pool.slice((i % 60) * dimensions, ((i % 60) + 1) * dimensions)
  const natural = fc.nat({ max: 10_000 })
  const step = fc.oneof(
    fc.record({ do: fc.constant("append" as const), vectors: fc.array(natural, { maxLength: 100 }) }),
    fc.record({ do: fc.constant("write" as const), row: natural, vector: natural }),
    fc.record({ do: fc.constant("remove" as const), row: natural, many: fc.nat({ max: 60 }) }),
    fc.record({ do: fc.constant("link" as const) }),
    fc.record({ do: fc.constant("restore" as const) }),
    fc.record({ do: fc.constant("search" as const), query: natural, k: fc.integer({ min: 1, max: 8 }) })
  )

  it("with as many candidates as rows it is a list of rows, whatever is done to it", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const model = new ExactIndex(dimensions)
        let graph = openGraph(dimensions, { efSearch: 10_000 })
        const contents = () => {
          const rows = new Float32Array(model.rows * dimensions)
          model.read(0, rows)
          return rows
        }
        for (const one of steps) {
          if (one.do === "link") linkAll(graph)
          else if (one.do === "restore") {
            // an index nothing was linked in has no nodes to save
            graph.link(0)
            const saved = graph.saveGraph()
            const copy = openGraph(dimensions, { efSearch: 10_000 })
            copy.append(contents())
            copy.restoreGraph(saved, sameOrder(copy.rows))
            assert.strictEqual(copy.linked, graph.linked)
            graph.dispose()
            graph = copy
          } else if (one.do === "search") {
            const query = clusteredVectors(1, dimensions, one.query)
            const found = scoresByRow(graph, query, one.k)
            const expected = scoresByRow(model, query, one.k)
            assert.deepStrictEqual([...found.keys()], [...expected.keys()])
          } else
            for (const index of [graph, model]) {
              if (one.do === "append")
                index.append(Float32Array.from(one.vectors.flatMap((i) => Array.from(vectorAt(i)))))
              else if (one.do === "write" && index.rows > 0)
                index.write(one.row % index.rows, vectorAt(one.vector))
              else if (one.do === "remove")
                for (let i = 0; i < one.many && index.rows > 0; i++) index.remove(one.row % index.rows)
            }
        }
        assert.strictEqual(graph.rows, model.rows)
        const rows = new Float32Array(model.rows * dimensions)
        graph.read(0, rows)
        assert.deepStrictEqual(rows, contents())
        graph.dispose()
      }),
      { numRuns: 300 }
    )
  })

  it("a damaged graph is refused or harmless, never a way out of its arrays", () => {
    const data = clusteredVectors(300, dimensions, 2)
    const graph = openGraph(dimensions, {})
    graph.append(data)
    linkAll(graph)
    for (let row = 0; row < 30; row++) graph.remove(row)
    const saved = graph.saveGraph()
    const rows = new Float32Array(graph.rows * dimensions)
    graph.read(0, rows)
    let refused = 0
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat({ max: saved.length - 1 }), fc.nat({ max: 255 })), {
          minLength: 1,
          maxLength: 4
        }),
        fc.nat({ max: 3 }),
        (edits, cut) => {
          const bad = saved.slice(0, saved.length - (cut === 1 ? (edits[0]?.[0] ?? 0) : 0))
          for (const [at, value] of edits) bad[at] = value
          const index = openGraph(dimensions, {})
          index.append(rows)
          try {
            index.restoreGraph(bad, sameOrder(index.rows))
          } catch (cause) {
            assert.instanceOf(cause, RangeError)
            refused++
          }
          for (let i = 0; i < 5; i++) {
            const found = index.search(vectorAt(i), 10)
            assert.isTrue(found.rows.every((row) => row < index.rows))
          }
          index.append(data)
          linkAll(index)
          index.dispose()
        }
      ),
      { numRuns: 300 }
    )
    assert.isAbove(refused, 100)
  })

  it("refuses options out of bounds, and a graph of other options or rows", () => {
    for (const bad of [{ m: 1 }, { m: 513 }, { efConstruction: 0 }, { efSearch: 0 }, { searchCost: -1 }])
      assert.throws(() => openGraph(2, bad), RangeError)
    assert.throws(() => Reflect.apply(Reflect.get(loadBinding("addon").binding.open(2), "link"), {}, [1]))
    const graph = openGraph(2, {})
    graph.append(Float32Array.of(1, 0, 0, 1))
    linkAll(graph)
    const saved = graph.saveGraph()
    const other = openGraph(2, { m: 8 })
    other.append(Float32Array.of(1, 0, 0, 1))
    assert.throws(() => other.restoreGraph(saved, sameOrder(2)), RangeError, /other options/)
    const same = openGraph(2, {})
    same.append(Float32Array.of(0, 1, 1, 0))
    for (const bad of [[0], [0, 0], [1, 2], [0, 1, 2]])
      assert.throws(() => same.restoreGraph(saved, Uint32Array.from(bad)), RangeError, /the order/)
    same.restoreGraph(saved, Uint32Array.of(1, 0))
    assert.deepStrictEqual(Array.from(same.search(Float32Array.of(0, 1), 1).rows), [0])
    const shorter = openGraph(2, {})
    shorter.append(Float32Array.of(1, 0))
    assert.throws(() => shorter.restoreGraph(saved, sameOrder(1)), RangeError, /other rows/)
    assert.throws(() => shorter.restoreGraph(new Uint8Array(3), sameOrder(1)), RangeError, /ends too early/)
  })
})
