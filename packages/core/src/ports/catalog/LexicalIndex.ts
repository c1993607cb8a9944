import type { Effect } from "effect"
import type { CatalogError, InvalidInput } from "../../domain/errors.ts"
import type { Filter } from "../../domain/Filter.ts"

/** What to look for by words. */
export interface LexicalQuery {
  /** Terms as core's analysis makes them; a term given twice counts twice. Never parsed as query syntax. */
  readonly terms: ReadonlyArray<string>
  /** 1 … 10,000. */
  readonly limit: number
  readonly where?: Filter | undefined
  /** Look up also terms that most chunks of a large index hold; they tell little, and cost most. */
  readonly common?: boolean | undefined
}

/** A chunk that was found by its words. */
export interface LexicalHit {
  readonly id: string
  /** BM25, 0 …; higher is better. */
  readonly score: number
}

/** In how many chunks terms occur. */
export interface TermStatistics {
  /** All chunks. */
  readonly chunks: number
  /** Chunks that hold the term, for each term asked about. */
  readonly frequencies: ReadonlyMap<string, number>
}

/**
 * Finds chunks by the words they hold. Part of a catalog as a rule; a vector store with a word index of its own may serve
 * it instead.
 */
export interface LexicalIndex {
  /** BM25 over the terms of headings and text, headings weighted; filtered before the limit. */
  readonly search: (
    query: LexicalQuery
  ) => Effect.Effect<ReadonlyArray<LexicalHit>, CatalogError | InvalidInput>
  /** In how many chunks each of the terms occurs; for a term that occurs nowhere 0. */
  readonly statistics: (terms: ReadonlyArray<string>) => Effect.Effect<TermStatistics, CatalogError>
  /**
   * Makes the terms anew where they were made by another version of the analysis than the one in use, from the chunks and
   * in slices; an interrupted refresh is resumed by the next. Until then queries find what both analyses agree on.
   * Returns for how many chunks; 0 as a rule. Call with the write lock held.
   */
  readonly refresh: Effect.Effect<number, CatalogError>
}
