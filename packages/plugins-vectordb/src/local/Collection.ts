import { batchFault } from "@omnirag/core/batch"
import type { ChunkFields, Filter } from "@omnirag/core/plugin"
import type { GraphIndex } from "./binding/FaissBinding.ts"
import type { CollectionPlace } from "./CollectionPlace.ts"
import { CollectionFiles, type OpenFiles } from "./files/CollectionFiles.ts"
import { type OpenIndex, Rows } from "./Rows.ts"
import type { RowLimits } from "./RowTable.ts"
import { StoreFault } from "./worker/StoreFault.ts"

/** The best rows of a query, best first. */
export interface Hits {
  readonly ids: ReadonlyArray<string>
  readonly scores: Float32Array
}

/** How far the graph over the rows is. */
export interface GraphProgress {
  readonly rows: number
  readonly linked: number
  readonly fault: string | undefined
}

/** Milliseconds of linking between two looks at what was asked. */
const linkingSlice = 5

/**
 * One open collection, in the worker. Writes and saves take turns; a query reads the present state at once, also while
 * a save is under way. Throws `StoreFault` and `CorruptFile`.
 */
export class Collection {
  readonly #rows: Rows
  readonly #files: CollectionFiles
  /** Why a graph found on disk was not used. */
  readonly note: string | undefined
  /** The linking of rows into the graph, while it goes on. */
  #linking: Promise<void> | undefined
  #stopLinking = false
  /** Why linking stopped or the graph was not kept, the last time. */
  #fault: string | undefined
  /** Ids written or removed since the last save. */
  #changed = new Set<string>()
  #turn: Promise<unknown> = Promise.resolve()

  private constructor({ files, note, rows }: OpenFiles) {
    this.#rows = rows
    this.#files = files
    this.note = note
    this.#link()
  }

  static async open(
    { collection }: CollectionPlace,
    dimensions: number,
    folder: string,
    makeIndex: (dimensions: number) => OpenIndex
  ): Promise<Collection> {
    const makeRows = () => new Rows(dimensions, makeIndex(dimensions))
    return new Collection(await CollectionFiles.open(folder, collection, dimensions, makeRows))
  }

  /** Rows, and those of them in the graph. */
  get progress(): GraphProgress {
    const { graph, table } = this.#rows
    return { rows: table.size, linked: graph?.linked ?? 0, fault: this.#fault }
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
      this.#link()
    })
  }

  /** Makes room for so many rows in all, where that is more than the index would make by itself. */
  reserve(rows: number): Promise<void> {
    return this.#next(() => {
      const { index } = this.#rows
      if (rows > 2 * index.rows) index.reserve(rows)
    })
  }

  query(vector: Float32Array, topK: number, limits: RowLimits): Hits {
    // the main thread has checked the arguments
    const { index, table } = this.#rows
    const picked = table.picked(limits)
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
      this.#link()
    })
  }

  /** False when another process has saved since this collection was opened or saved: what is here is an older state. */
  isCurrent(): Promise<boolean> {
    return this.#next(async () => this.#changed.size > 0 || (await this.#files.isCurrent()))
  }

  /**
   * Waits for the turn of what was asked before and frees the memory. What was not flushed is gone. A process that saved
   * rows links them first and keeps the graph, for the next to find it, unless the files go as well.
   */
  async close(forDrop = false): Promise<void> {
    await this.#next(() => undefined)
    this.#stopLinking = forDrop || !this.#files.saved
    await this.#linking
    await this.#next(() => this.#rows.index.dispose())
  }

  /**
   * Links rows into the graph, if there is one, a few milliseconds at a time: what is asked in between is answered at
   * once. When all are linked the graph is saved.
   */
  #link(): void {
    const { graph } = this.#rows
    if (graph === undefined || this.#linking !== undefined) return
    const linkAll = async () => {
      try {
        // again for rows that came during the save
        do {
          while (!this.#stopLinking && graph.link(linkingSlice))
            await new Promise((resolve) => setImmediate(resolve))
          await this.#next(() => this.#saveGraph(graph))
        } while (!this.#stopLinking && graph.linked < this.#rows.table.size)
      } catch (cause) {
        // unlinked rows are scanned and a graph that was not kept is built again: slower, and not wrong
        this.#fault = cause instanceof Error ? cause.message : String(cause)
        // the promise must have been kept before it is forgotten
        await Promise.resolve()
      }
      this.#linking = undefined
    }
    this.#linking = linkAll()
  }

  async #saveGraph(graph: GraphIndex): Promise<void> {
    if (this.#changed.size > 0 || graph.linked < this.#rows.table.size) return
    await this.#files.saveGraph(this.#rows)
    this.#fault = undefined
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
