import type { ChunkFields } from "@omnirag/core"
import type { FlatIndex } from "./binding/FaissBinding.ts"
import { RowTable } from "./RowTable.ts"

/** The vectors of a collection with their ids and fields, row by row. */
export class Rows {
  readonly dimensions: number
  readonly index: FlatIndex
  readonly table = new RowTable()

  constructor(dimensions: number, index: FlatIndex) {
    this.dimensions = dimensions
    this.index = index
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
