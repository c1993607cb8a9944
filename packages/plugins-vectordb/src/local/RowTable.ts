import type { ChunkFields, Filter } from "@omnirag/core/plugin"
import { compileFilter } from "@omnirag/core/filter"

const cachedFilters = 32

/** What limits a query to some rows: both must hold. */
export interface RowLimits {
  readonly where: Filter | undefined
  readonly ids: ReadonlyArray<string> | undefined
}

/** The ids and fields of the rows of a flat index, in the same order, with the rows that match a filter. */
export class RowTable {
  readonly ids: Array<string> = []
  readonly fields: Array<ChunkFields> = []
  readonly #rowOf = new Map<string, number>()
  readonly #strings = new Map<string, string>()
  /** Matching rows of the filters asked last: a session repeats its filter from question to question. */
  readonly #matching = new Map<string, Uint32Array>()
  #sorted: ReadonlyArray<string> | undefined

  get size(): number {
    return this.ids.length
  }

  rowOf(id: string): number | undefined {
    return this.#rowOf.get(id)
  }

  /** Replaces the fields of a row or adds a row at the end; gives its number. */
  set(id: string, fields: ChunkFields): number {
    this.#matching.clear()
    const known = this.#rowOf.get(id)
    const row = known ?? this.ids.length
    if (known === undefined) {
      this.#sorted = undefined
      this.ids.push(id)
      this.#rowOf.set(id, row)
    }
    this.fields[row] = this.#shared(fields)
    return row
  }

  /** Removes a row; the last one takes its place. Gives the row that was freed. */
  remove(id: string): number | undefined {
    const row = this.#rowOf.get(id)
    if (row === undefined) return undefined
    this.#matching.clear()
    this.#sorted = undefined
    this.#rowOf.delete(id)
    const lastId = this.ids.pop()
    const lastFields = this.fields.pop()
    if (lastId !== undefined && lastFields !== undefined && lastId !== id) {
      this.ids[row] = lastId
      this.fields[row] = lastFields
      this.#rowOf.set(lastId, row)
    }
    return row
  }

  /** The rows a filter holds for, ascending. */
  matching(where: Filter): Uint32Array {
    // JSON has no NaN and no infinities: without this they would share a key
    const key = JSON.stringify(where, (_, value: unknown) =>
      typeof value === "number" ? `#${value}` : value
    )
    const known = this.#matching.get(key)
    if (known !== undefined) return known
    const test = compileFilter(where)
    const rows = new Uint32Array(this.size)
    let count = 0
    for (const [row, fields] of this.fields.entries()) if (test(fields)) rows[count++] = row
    const found = rows.slice(0, count)
    const oldest = this.#matching.keys().next()
    if (this.#matching.size >= cachedFilters && oldest.done !== true) this.#matching.delete(oldest.value)
    this.#matching.set(key, found)
    return found
  }

  /** The rows a query is limited to, ascending; undefined when it is limited to none. */
  picked({ ids, where }: RowLimits): Uint32Array | undefined {
    if (ids === undefined) return where === undefined ? undefined : this.matching(where)
    const test = where === undefined ? () => true : compileFilter(where)
    const rows = new Set<number>()
    for (const id of ids) {
      const row = this.#rowOf.get(id)
      const fields = row === undefined ? undefined : this.fields[row]
      if (row !== undefined && fields !== undefined && test(fields)) rows.add(row)
    }
    return Uint32Array.from(rows).toSorted()
  }

  /** Up to `limit` ids after `after`, in ascending order. */
  page(after: string | undefined, limit: number): ReadonlyArray<string> {
    const sorted = (this.#sorted ??= this.ids.toSorted())
    let start = 0
    let end = after === undefined ? 0 : sorted.length
    while (start < end) {
      const middle = (start + end) >> 1
      if (after !== undefined && (sorted[middle] ?? "") <= after) start = middle + 1
      else end = middle
    }
    return sorted.slice(start, start + limit)
  }

  /** Thousands of rows share few repositories, folders and media types: keep each string once. */
  #shared(fields: ChunkFields): ChunkFields {
    return {
      ...fields,
      documentId: this.#share(fields.documentId),
      repo: this.#share(fields.repo),
      bundle: fields.bundle === null ? null : this.#share(fields.bundle),
      path: this.#share(fields.path),
      mediaType: this.#share(fields.mediaType),
      intent: fields.intent === null ? null : this.#share(fields.intent)
    }
  }

  #share(text: string): string {
    const known = this.#strings.get(text)
    if (known !== undefined) return known
    if (this.#strings.size > 4 * this.size + 1000) this.#strings.clear()
    this.#strings.set(text, text)
    return text
  }
}
