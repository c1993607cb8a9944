import type { ChunkFields } from "@omnirag/core/plugin"
import type { FlatIndex, GraphIndex } from "./binding/FaissBinding.ts"
import { RowTable } from "./RowTable.ts"

/** An index, and the same again where it has a graph. */
export interface OpenIndex {
  readonly index: FlatIndex
  readonly graph: GraphIndex | undefined
}

/** The vectors of a collection with their ids and fields, row by row. */
export class Rows {
  readonly dimensions: number
  readonly index: FlatIndex
  /** The same index, where it has a graph. */
  readonly graph: GraphIndex | undefined
  readonly table = new RowTable()

  constructor(dimensions: number, { graph, index }: OpenIndex) {
    this.dimensions = dimensions
    this.index = index
    this.graph = graph
  }

  /** Writes one row, replacing the one with the same id. */
  set(id: string, fields: ChunkFields, vector: Float32Array): void {
    const row = this.table.rowOf(id)
    if (row === undefined) this.index.append(vector)
    else this.index.write(row, vector)
    this.table.set(id, fields)
  }

  /** True when the id was there. */
  remove(id: string): boolean {
    const row = this.table.remove(id)
    if (row === undefined) return false
    this.index.remove(row)
    return true
  }
}
