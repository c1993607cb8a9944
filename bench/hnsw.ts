/**
 * The HNSW graph against the flat scan of the same addon, on clustered vectors, in one run.
 *
 *     node bench/hnsw.ts [rows …]        default 20000
 *
 * Prints one line of JSON for each number of rows: processor time of the build, longest slice of it, and for each
 * efSearch the median of single top-10 queries, its ratio to the flat scan (below 1 is faster) and recall@10.
 */
import { clusteredVectors } from "@omnirag/core/testing"
import { loadBinding } from "@omnirag/plugins-vectordb/binding"

const dimensions = 768
const queries = 200
const round = (value: number): number => Number(value.toPrecision(4))
const median = (times: ReadonlyArray<number>): number =>
  times.toSorted((a, b) => a - b)[times.length >> 1] ?? Number.NaN

const { binding } = loadBinding("addon")
const open = (efSearch: number) => {
  const index = binding.openGraph?.(dimensions, { m: 32, efConstruction: 40, efSearch, searchCost: 0 })
  if (index === undefined) throw new Error("the addon has no graph")
  return index
}

const measure = (rows: number): void => {
  const data = clusteredVectors(rows, dimensions, 1)
  const flat = binding.open(dimensions)
  flat.append(data)
  const built = open(64)
  built.append(data)
  const began = performance.now()
  const used = process.cpuUsage()
  let longest = 0
  for (let more = true; more;) {
    const start = performance.now()
    more = built.link(5)
    longest = Math.max(longest, performance.now() - start)
  }
  const { user } = process.cpuUsage(used)
  const build = {
    ms: round(performance.now() - began),
    cpuMs: round(user / 1000),
    longestSliceMs: round(longest)
  }
  const saved = built.saveGraph()
  const order = Uint32Array.from({ length: rows }, (_, row) => row)
  const search = [64, 128, 256].map((efSearch) => {
    const graph = open(efSearch)
    graph.append(data)
    const start = performance.now()
    graph.restoreGraph(saved, order)
    const restoreMs = performance.now() - start
    const times: Array<number> = []
    const flatTimes: Array<number> = []
    let found = 0
    for (let i = 0; i < queries; i++) {
      const row = Math.floor((i * rows) / queries)
      const query = data.slice(row * dimensions, (row + 1) * dimensions)
      const before = performance.now()
      const got = new Set(graph.search(query, 10).rows)
      const between = performance.now()
      const best = flat.search(query, 10).rows
      times.push(between - before)
      flatTimes.push(performance.now() - between)
      found += best.filter((one) => got.has(one)).length / best.length
    }
    graph.dispose()
    const ms = median(times)
    return {
      efSearch,
      ms: round(ms),
      ratioToFlat: round(ms / median(flatTimes)),
      recall10: round(found / queries),
      restoreMs: round(restoreMs)
    }
  })
  console.log(
    JSON.stringify({
      bench: "hnsw",
      rows,
      dimensions,
      binding: binding.description,
      build,
      graphBytes: saved.length,
      search
    })
  )
}

const sizes = process.argv.slice(2).map(Number)
for (const rows of sizes.length > 0 ? sizes : [20_000]) measure(rows)
