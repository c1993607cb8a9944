import { analyze } from "@omnirag/core/language"
import type { SparseMatrix } from "./SparseMatrix.ts"

/** Limits of the texts and terms that are used for learning. */
export interface VocabularyBounds {
  /** Most texts used; when there are more, those with the smallest hashes. */
  readonly maxTexts: number
  /** Most terms kept: those in most texts first. */
  readonly maxTerms: number
}

/** Most terms kept in memory while counting; terms that are met later are left out. */
const maximumCandidates = 1_000_000

/** In a corpus with fewer texts, terms that occur in only one text are kept. */
const smallCorpus = 50

/** A term in more than this share of the texts says nothing about any of them. */
const maximumShare = 0.5

/** FNV-1a over UTF-16 units, mixed: decides which texts are in the sample, and their order. */
const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}

export interface CountedCorpus {
  /** The chosen terms; a term's position is its column. */
  readonly terms: ReadonlyArray<string>
  /** In how many of the texts each term occurs. */
  readonly documentFrequencies: Uint32Array
  /** How often each term occurs in each text. */
  readonly counts: SparseMatrix
}

interface CountedText {
  readonly hash: number
  readonly ids: Uint32Array
  readonly counts: Uint16Array
}

/** Counts terms text by text; the result does not depend on the order of the texts. */
export class TermCounter {
  readonly #bounds: VocabularyBounds
  #ids = new Map<string, number>()
  #texts: Array<CountedText> = []
  /** When there are more texts than are kept, a text with a larger hash is not among them. */
  #largest = Infinity

  constructor(bounds: VocabularyBounds) {
    this.#bounds = bounds
  }

  add(text: string): void {
    const textHash = hash(text)
    if (textHash > this.#largest) return
    const counts = new Map<number, number>()
    for (const term of analyze(text)) {
      let id = this.#ids.get(term)
      if (id === undefined) {
        if (this.#ids.size >= maximumCandidates) continue
        id = this.#ids.size
        this.#ids.set(term, id)
      }
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    this.#texts.push({
      hash: textHash,
      ids: Uint32Array.from(counts.keys()),
      counts: Uint16Array.from(counts.values(), (count) => Math.min(count, 0xffff))
    })
    // reduced only at twice the limit, so that sorting costs little
    if (this.#texts.length >= 2 * this.#bounds.maxTexts) this.#sample()
  }

  #sample(): void {
    const sorted = this.#texts.toSorted(
      (left, right) => left.hash - right.hash || left.ids.length - right.ids.length
    )
    this.#texts = sorted.slice(0, this.#bounds.maxTexts)
    if (sorted.length === this.#texts.length) return
    this.#largest = this.#texts.at(-1)?.hash ?? Infinity
    this.#forgetUnused()
  }

  /** Removes the terms of texts that are no longer kept, and numbers the others again. */
  #forgetUnused(): void {
    const used = new Uint8Array(this.#ids.size)
    for (const { ids } of this.#texts) for (const id of ids) used[id] = 1
    const numbers = new Uint32Array(this.#ids.size)
    const kept = new Map<string, number>()
    for (const [term, id] of this.#ids) {
      if (used[id] !== 1) continue
      numbers[id] = kept.size
      kept.set(term, kept.size)
    }
    this.#ids = kept
    for (const { ids } of this.#texts) {
      ids.forEach((id, index) => {
        ids[index] = numbers[id] ?? 0
      })
    }
  }

  finish(): CountedCorpus {
    this.#sample()
    const texts = this.#texts
    const frequencies = new Uint32Array(this.#ids.size)
    for (const { ids } of texts) for (const id of ids) frequencies[id] = (frequencies[id] ?? 0) + 1
    const minimum = texts.length < smallCorpus ? 1 : 2
    const maximum = texts.length < smallCorpus ? texts.length : texts.length * maximumShare
    const chosen = Array.from(this.#ids, ([term, id]) => ({ term, id, frequency: frequencies[id] ?? 0 }))
      .filter(({ frequency }) => frequency >= minimum && frequency <= maximum)
      .toSorted((left, right) => right.frequency - left.frequency || (left.term < right.term ? -1 : 1))
      .slice(0, this.#bounds.maxTerms)
    const columnOf = new Int32Array(this.#ids.size).fill(-1)
    chosen.forEach(({ id }, column) => {
      columnOf[id] = column
    })

    let entries = 0
    for (const { ids } of texts) for (const id of ids) if ((columnOf[id] ?? -1) >= 0) entries++
    const offsets = new Uint32Array(texts.length + 1)
    const columns = new Uint32Array(entries)
    const values = new Float32Array(entries)
    let next = 0
    texts.forEach(({ ids, counts }, row) => {
      ids.forEach((id, index) => {
        const column = columnOf[id] ?? -1
        if (column < 0) return
        columns[next] = column
        values[next] = counts[index] ?? 0
        next++
      })
      offsets[row + 1] = next
    })
    return {
      terms: chosen.map(({ term }) => term),
      documentFrequencies: Uint32Array.from(chosen, ({ frequency }) => frequency),
      counts: { rows: texts.length, width: chosen.length, offsets, columns, values }
    }
  }
}
