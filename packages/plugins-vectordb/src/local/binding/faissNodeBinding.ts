import { createRequire } from "node:module"
import { ExactIndex } from "./exactBinding.ts"
import type { FaissBinding, FlatIndex, FoundRows } from "./FaissBinding.ts"

/** The little of `faiss-node` that does not crash, leak or lose data with valid arguments. */
interface FaissNodeIndex {
  add(vectors: ReadonlyArray<number>): void
  search(
    query: ReadonlyArray<number>,
    k: number
  ): { readonly labels: ReadonlyArray<number>; readonly distances: ReadonlyArray<number> }
}
interface FaissNode {
  readonly IndexFlatIP: new (dimensions: number) => FaissNodeIndex
}

const isFaissNode = (value: unknown): value is FaissNode =>
  typeof value === "object" && value !== null && "IndexFlatIP" in value

/** `add` takes number[]: so many rows at once, to bound the memory that takes. */
const rowsPerAdd = 1024
/** FAISS and the scan in TypeScript may round a score differently by less than this. */
const rounding = 1e-5

/**
 * `faiss-node` 0.5.1 with its faults fenced. It cannot overwrite, read rows back or filter, its save is not atomic and
 * its `toBuffer` leaks; so the rows are kept in TypeScript too, FAISS's rows are only ever appended (a replaced or
 * removed row leaves a dead one behind; many dead ones cause a fresh index), and FAISS proposes candidates that are
 * scored from our rows. Each search leaks the query vector (4 bytes a dimension): the addon is the better binding.
 */
class FaissNodeFlatIndex implements FlatIndex {
  readonly #module: FaissNode
  readonly #exact: ExactIndex
  #faiss: FaissNodeIndex
  /** Our row of each row of FAISS, or −1 for a dead one. */
  #rowOf: Array<number> = []
  /** FAISS's row of each of our rows, or −1 when it was not added yet. */
  #faissRowOf: Array<number> = []
  #stale = new Set<number>()
  #dead = 0

  constructor(module: FaissNode, dimensions: number) {
    this.#module = module
    this.#exact = new ExactIndex(dimensions)
    this.#faiss = new module.IndexFlatIP(dimensions)
  }

  get rows(): number {
    return this.#exact.rows
  }

  reserve(rows: number): void {
    this.#exact.reserve(rows)
  }

  append(vectors: Float32Array): void {
    const first = this.rows
    this.#exact.append(vectors)
    for (let row = first; row < this.rows; row++) {
      this.#faissRowOf.push(-1)
      this.#stale.add(row)
    }
  }

  write(row: number, vector: Float32Array): void {
    this.#exact.write(row, vector)
    this.#kill(row)
    this.#stale.add(row)
  }

  remove(row: number): void {
    const last = this.rows - 1
    this.#kill(row)
    this.#stale.delete(row)
    if (row !== last) {
      const moved = this.#faissRowOf[last] ?? -1
      this.#faissRowOf[row] = moved
      if (moved !== -1) this.#rowOf[moved] = row
      if (this.#stale.delete(last)) this.#stale.add(row)
    }
    this.#faissRowOf.pop()
    this.#exact.remove(row)
  }

  read(first: number, into: Float32Array): void {
    this.#exact.read(first, into)
  }

  search(query: Float32Array, k: number, picked?: Uint32Array): FoundRows {
    const count = picked?.length ?? this.rows
    // where most rows are wanted or most are filtered out, FAISS's proposals cost more than the scan
    if (k * 4 >= count || count * 4 < this.rows) return this.#exact.search(query, k, picked)
    this.#refresh()
    const allowed = picked === undefined ? undefined : new Set(picked)
    const values = Array.from(query)
    for (let ask = k + 16; ask < this.#rowOf.length; ask *= 4) {
      const { labels, distances } = this.#faiss.search(values, ask)
      const rows: Array<number> = []
      let kth = Infinity
      for (let i = 0; i < labels.length; i++) {
        const row = this.#rowOf[labels[i] ?? -1] ?? -1
        if (row === -1 || (allowed !== undefined && !allowed.has(row))) continue
        rows.push(row)
        if (rows.length === k) kth = distances[i] ?? Infinity
      }
      // complete only when the worst proposal lies clearly below the k-th, so that no tie is cut off
      const worst = distances[distances.length - 1] ?? Infinity
      if (rows.length >= k && worst < kth - rounding)
        return this.#exact.search(query, k, Uint32Array.from(rows).toSorted())
    }
    return this.#exact.search(query, k, picked)
  }

  dispose(): void {
    this.#exact.dispose()
    this.#rebuild()
    this.#faissRowOf = []
    this.#stale = new Set()
  }

  #kill(row: number): void {
    const at = this.#faissRowOf[row] ?? -1
    if (at === -1) return
    this.#rowOf[at] = -1
    this.#faissRowOf[row] = -1
    this.#dead++
  }

  #rebuild(): void {
    this.#faiss = new this.#module.IndexFlatIP(this.#exact.dimensions)
    this.#rowOf = []
    this.#dead = 0
    this.#faissRowOf = Array.from({ length: this.rows }, () => -1)
    this.#stale = new Set(this.#faissRowOf.keys())
  }

  #refresh(): void {
    if (this.#dead > 64 && this.#dead > this.rows / 2) this.#rebuild()
    let values: Array<number> = []
    let rows = 0
    for (const row of this.#stale) {
      for (const value of this.#exact.view(row)) values.push(value)
      this.#faissRowOf[row] = this.#rowOf.push(row) - 1
      if (++rows % rowsPerAdd !== 0) continue
      this.#faiss.add(values)
      values = []
    }
    if (values.length > 0) this.#faiss.add(values)
    this.#stale = new Set()
  }
}

/** Loads `faiss-node`. Throws when it is not installed or its binary is missing. */
export const loadFaissNodeBinding = (): FaissBinding => {
  const module: unknown = createRequire(import.meta.url)("faiss-node")
  if (!isFaissNode(module)) throw new Error("the package faiss-node is not what it was")
  return {
    name: "faiss-node",
    description: "faiss-node",
    open: (dimensions) => new FaissNodeFlatIndex(module, dimensions)
  }
}
