import {
  type CatalogError,
  type ChunkAnalysis,
  InvalidInput,
  type LexicalHit,
  type LexicalIndex,
  maxTopK
} from "@omnirag/core/plugin"
import { Effect } from "effect"
import type { CatalogDatabase } from "./CatalogDatabase.ts"
import type { CatalogWriter } from "./CatalogWriter.ts"
import { numberOf, textOf } from "./columns.ts"
import { conditionOf } from "./condition.ts"
import type { SqlCondition } from "./filterSql.ts"
import { refreshTerms } from "./refreshTerms.ts"
import { encodeTerm } from "./termEncoding.ts"
import { termFrequencies } from "./termFrequencies.ts"

/** The most terms, repeats counted, that a query uses all of: FTS5 takes time that grows faster than their number. */
export const mostTerms = 512

/** Of a longer query, so many of its distinct terms are looked up, and so many of those, the rarest, are used. */
const examinedTerms = 1024
const rarestTerms = 128

/** A MATCH expression of quoted strings, so that nothing in them is syntax; a repeated term is there as often. */
export const matchExpression = (terms: ReadonlyArray<string>): string =>
  terms.map((term) => `"${term.replaceAll('"', '""')}"`).join(" OR ")

/** From this number of chunks on, terms that most of them hold are left out. */
const largeIndex = 1000

/**
 * The terms to match. A term that more than half of all chunks hold has an idf of 0 in BM25 (1e-6 in FTS5): in a large
 * index it would cost the most, change no order, and find chunks that have nothing else in common with the question; it
 * goes when there are others. Of a long text the rarest terms are used, which say most about it and cost least.
 */
export const usefulTerms = (
  terms: ReadonlyArray<string>,
  chunks: number,
  frequency: (term: string) => number
): ReadonlyArray<string> => {
  const distinct = [...new Set(terms)].slice(0, examinedTerms)
  if (terms.length <= mostTerms && (chunks < largeIndex || distinct.length === 1)) return terms
  const frequencies = new Map(distinct.map((term) => [term, frequency(term)]))
  if (terms.length > mostTerms)
    return distinct
      .filter((term) => frequencies.get(term) !== 0)
      .toSorted((left, right) => (frequencies.get(left) ?? 0) - (frequencies.get(right) ?? 0))
      .slice(0, rarestTerms)
  const telling = (term: string): boolean => (frequencies.get(term) ?? 0) * 2 <= chunks
  // those that occur nowhere cannot stand in for the common ones
  return distinct.some((term) => telling(term) && frequencies.get(term) !== 0) ? terms.filter(telling) : terms
}

/** FTS5's BM25 is negative, better is lower; its idf is never below 1e-6, so turned round it is above 0. */
const score = "-bm25(lexical, ?, 1.0)"

/** Rows fetched beyond the limit: those with the score of the last one compete for its place by their ids. */
const spareRows = 100

/** The unary plus keeps SQLite from running one MATCH for each row of the filter. */
const filteredRows = (condition: SqlCondition): string =>
  condition.sql === "1"
    ? ""
    : `AND +lexical.rowid IN (
         SELECT c.key FROM documents d CROSS JOIN chunks c ON c.document = d.key WHERE ${condition.sql})`

/** The lexical index: BM25 over the terms of headings (weighted) and bodies. */
export const lexicalIndex = (
  database: CatalogDatabase,
  writer: CatalogWriter,
  analysis: ChunkAnalysis,
  headingWeight: number
): LexicalIndex => {
  const frequencies = termFrequencies(database)

  const bestMatches = (expression: string, limit: number, where: SqlCondition): ReadonlyArray<LexicalHit> => {
    const parameters = [headingWeight, expression, ...where.parameters]
    const rows = database
      .filtered(
        `SELECT lexical.rowid AS key, ${score} AS score FROM lexical
         WHERE lexical MATCH ? ${filteredRows(where)} ORDER BY score DESC LIMIT ?`
      )
      .all(...parameters, limit + spareRows)
      .map((row) => ({ key: numberOf(row, "key"), score: numberOf(row, "score") }))
    const least = rows[limit - 1]?.score ?? 0
    if (rows.length === limit + spareRows && rows.at(-1)?.score === least) {
      // more rows with that score than were fetched: the database sorts all of them by id
      return database
        .filtered(
          `SELECT c.id, ${score} AS score FROM lexical CROSS JOIN chunks c ON c.key = lexical.rowid
           WHERE lexical MATCH ? ${filteredRows(where)}
           ORDER BY score DESC, c.id LIMIT ?`
        )
        .all(...parameters, limit)
        .map((row) => ({ id: textOf(row, "id"), score: numberOf(row, "score") }))
    }
    const scores = new Map(rows.filter((row) => row.score >= least).map((row) => [row.key, row.score]))
    return database
      .statement(`SELECT c.key, c.id FROM json_each(?) j CROSS JOIN chunks c ON c.key = j.value`)
      .all(JSON.stringify([...scores.keys()]))
      .map((row) => ({ id: textOf(row, "id"), score: scores.get(numberOf(row, "key")) ?? 0 }))
      .toSorted((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
      .slice(0, limit)
  }

  return {
    search: Effect.fn("Catalog.lexical.search")(function* ({
      terms,
      limit,
      where,
      common = false
    }): Effect.fn.Return<ReadonlyArray<LexicalHit>, CatalogError | InvalidInput> {
      if (!Number.isInteger(limit) || limit < 1 || limit > maxTopK)
        return yield* new InvalidInput({
          field: "limit",
          message: `the limit must be a whole number from 1 to ${maxTopK}`
        })
      const condition = yield* conditionOf(where, "chunks")
      const encoded = terms.filter((term) => term !== "").map(encodeTerm)
      return yield* database.attempt("lexical.search", () =>
        database.withTests(condition.tests, () =>
          database.read(() => {
            const { chunks, frequency } = frequencies()
            const all = common && encoded.length <= mostTerms
            const expression = matchExpression(all ? encoded : usefulTerms(encoded, chunks(), frequency))
            return expression === "" ? [] : bestMatches(expression, limit, condition)
          })
        )
      )
    }),

    statistics: (terms) =>
      database.attempt("lexical.statistics", () =>
        database.read(() => {
          const { chunks, frequency } = frequencies()
          return {
            chunks: chunks(),
            frequencies: new Map(terms.map((term) => [term, frequency(encodeTerm(term))] as const))
          }
        })
      ),

    refresh: refreshTerms(database, writer, analysis)
  }
}
