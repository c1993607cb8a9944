import type { ChunkFields, CollectionSpec, Filter } from "@omnirag/core"
import { batchFault } from "../batchFault.ts"
import type { FaissBinding } from "./binding/FaissBinding.ts"
import { CollectionFiles } from "./files/CollectionFiles.ts"
import { Rows } from "./Rows.ts"
import { StoreFault } from "./worker/StoreFault.ts"

export interface Hits {
  readonly ids: ReadonlyArray<string>
  readonly scores: Float32Array
}

/**
 * One open collection, in the worker. Writes and saves take turns; a query reads the present state at once, also while
 * a save is under way. Throws `StoreFault` and `CorruptFile`.
 */
export class Collection {
  readonly #rows: Rows
  readonly #files: CollectionFiles
  /** Ids written or removed since the last save. */
  #changed = new Set<string>()
  #turn: Promise<unknown> = Promise.resolve()

  private constructor(rows: Rows, files: CollectionFiles) {
    this.#rows = rows
    this.#files = files
  }

  static async open(spec: CollectionSpec, folder: string, binding: FaissBinding): Promise<Collection> {
    const { files, rows } = await CollectionFiles.open(
      folder,
      spec.collection,
      spec.dimensions,
      () => new Rows(spec.dimensions, binding.open(spec.dimensions))
    )
    return new Collection(rows, files)
  }

  get dimensions(): number {
    return this.#rows.dimensions
  }

  upsert(
    ids: ReadonlyArray<string>,
    fields: ReadonlyArray<ChunkFields>,
    vectors: Float32Array
  ): Promise<void> {
    return this.#next(() => {
      const { dimensions, index, table } = this.#rows
      const fault = batchFault(dimensions, { ids, fields, vectors })
      if (fault !== undefined) throw new StoreFault(fault)
      const known = ids.map((id) => table.rowOf(id))
      // new rows first, in runs that go in with one copy each: only they can run out of memory
      try {
        for (let start = 0, end = 0; start < ids.length; start = end + 1) {
          for (end = start; end < ids.length && known[end] === undefined;) end++
          if (start < end) index.append(vectors.subarray(start * dimensions, end * dimensions))
        }
      } catch (cause) {
        while (index.rows > table.size) index.remove(index.rows - 1)
        throw cause
      }
      for (const [i, row] of known.entries())
        if (row !== undefined) index.write(row, vectors.subarray(i * dimensions, (i + 1) * dimensions))
      for (const [i, id] of ids.entries()) {
        const value = fields[i]
        if (value !== undefined) table.set(id, value)
        this.#changed.add(id)
      }
    })
  }

  query(vector: Float32Array, topK: number, where: Filter | undefined): Hits {
    // the main thread has checked the arguments
    const { index, table } = this.#rows
    const picked = where === undefined ? undefined : table.matching(where)
    const found = index.search(vector, topK, picked)
    const hits = Array.from(found.rows, (row, i) => ({
      id: table.ids[row] ?? "",
      score: found.scores[i] ?? 0
    }))
    hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    const best = hits.slice(0, topK)
    return { ids: best.map((hit) => hit.id), scores: Float32Array.from(best, (hit) => hit.score) }
  }

  remove(ids: ReadonlyArray<string>): Promise<void> {
    return this.#next(() => this.#remove(ids))
  }

  removeWhere(where: Filter): Promise<void> {
    return this.#next(() => {
      const { table } = this.#rows
      this.#remove(Array.from(table.matching(where), (row) => table.ids[row] ?? ""))
    })
  }

  count(where: Filter | undefined): number {
    return where === undefined ? this.#rows.table.size : this.#rows.table.matching(where).length
  }

  /** Up to `limit` ids after `after`, ascending. */
  page(after: string | undefined, limit: number): ReadonlyArray<string> {
    return this.#rows.table.page(after, limit)
  }

  flush(): Promise<void> {
    return this.#next(async () => {
      await this.#files.save(this.#rows, this.#changed)
      this.#changed = new Set()
    })
  }

  /** False when another process has saved since this collection was opened or saved: what is here is an older state. */
  isCurrent(): Promise<boolean> {
    return this.#next(async () => this.#changed.size > 0 || (await this.#files.isCurrent()))
  }

  /** Waits for the turn of what was asked before and frees the memory. What was not flushed is gone. */
  close(): Promise<void> {
    return this.#next(() => this.#rows.index.dispose())
  }

  #remove(ids: ReadonlyArray<string>): void {
    for (const id of ids) if (this.#rows.remove(id)) this.#changed.add(id)
  }

  #next<A>(action: () => A | Promise<A>): Promise<A> {
    const turn = this.#turn.then(action)
    this.#turn = turn.catch(() => undefined)
    return turn
  }
}
