/**
 * What each stage of the ranking adds, on Cranfield and CISI with the same settings: nDCG@10 over documents that are
 * one chunk each. FTS5 and the `lsa` embedder are used as the catalog and the retriever use them, without the rest of
 * the system; bench/retrieval.ts measures the whole.
 *
 *   node bench/ranking.ts [--weight 0.5] [--passages 4] [--headings 2] [--seed 1]
 */
import { memoryArtifacts } from "@omnirag/core/testing/memoryArtifacts"
import {
  EmbedderProvider,
  analyze,
  fuseReciprocalRank,
  fuseScaled,
  queryTerms,
  rocchio,
  type ScoredId
} from "@omnirag/core/app"
import { embedders } from "@omnirag/plugins-models"
import { Effect, Option, Stream } from "effect"
import { DatabaseSync } from "node:sqlite"
import { parseArgs } from "node:util"
import { cisi, type Collection, cranfield } from "./collections.ts"
import { requireData } from "./support/data.ts"

requireData()
const { values } = parseArgs({
  options: {
    weight: { type: "string", default: "0.5" },
    passages: { type: "string", default: "4" },
    headings: { type: "string", default: "2" },
    seed: { type: "string", default: "1" }
  }
})
const weight = Number(values.weight)
const candidates = 200

type Ranking = ReadonlyArray<ScoredId>

const sorted = (scores: Iterable<readonly [string, number]>): Ranking =>
  Array.from(scores, ([id, score]) => ({ id, score })).toSorted(
    (left, right) => right.score - left.score || (left.id < right.id ? -1 : 1)
  )

/** BM25 over two columns of a contentless FTS5 table; a term given twice counts twice. */
const lexicalIndex = ({ documents }: Collection) => {
  const database = new DatabaseSync(":memory:")
  database.exec(`CREATE VIRTUAL TABLE lexical USING fts5(
    heading, body, content='', tokenize="unicode61 remove_diacritics 0 tokenchars '.'")`)
  const insert = database.prepare("INSERT INTO lexical (rowid, heading, body) VALUES (?, ?, ?)")
  documents.forEach(({ title, text }, index) =>
    insert.run(index, analyze(title).join(" "), analyze(text).join(" "))
  )
  const select =
    database.prepare(`SELECT rowid AS row, -bm25(lexical, ${Number(values.headings)}, 1.0) AS score
    FROM lexical WHERE lexical MATCH ? ORDER BY score DESC LIMIT ${candidates}`)
  return (terms: ReadonlyArray<string>): Ranking =>
    sorted(
      select
        .all(terms.map((term) => `"${term}"`).join(" OR "))
        .map(({ row, score }) => [documents[Number(row)]?.id ?? "", Number(score)] as const)
    )
}

const ndcg10 = (ranking: Ranking, relevant: ReadonlySet<string>): number => {
  const gain = (hits: number, rank: number) => hits / Math.log2(rank + 2)
  const found = ranking.slice(0, 10).map(({ id }, rank) => gain(relevant.has(id) ? 1 : 0, rank))
  const ideal = Array.from({ length: Math.min(10, relevant.size) }, (_, rank) => gain(1, rank))
  return found.reduce((sum, value) => sum + value, 0) / ideal.reduce((sum, value) => sum + value, 0)
}

const measure = Effect.fn("measure")(function* (collection: Collection) {
  const { documents, queries, name } = collection
  const search = lexicalIndex(collection)
  const provider = yield* EmbedderProvider
  const artifacts = memoryArtifacts()
  const texts = documents.map(({ title, text }) => `${title}\n\n${text}`)
  yield* provider.fit?.(Stream.fromIterable(texts), artifacts) ?? Effect.void
  const embedder = Option.getOrThrow(yield* provider.load(artifacts))
  const { vectors, dimensions } = yield* embedder.embed(texts, "document")
  const vectorOf = new Map(
    documents.map(({ id }, row) => [id, vectors.subarray(row * dimensions, (row + 1) * dimensions)])
  )
  const nearest = (question: Float32Array): Ranking =>
    sorted(
      Array.from(vectorOf, ([id, vector]) => [
        id,
        vector.reduce((sum, value, index) => sum + value * (question[index] ?? 0), 0)
      ])
    ).slice(0, candidates)

  const totals = new Map<string, number>()
  for (const { text, relevant } of queries) {
    const score = (stage: string, ranking: Ranking) =>
      totals.set(stage, (totals.get(stage) ?? 0) + ndcg10(ranking, relevant) / queries.length)
    const lexical = search(queryTerms(text))
    const question = (yield* embedder.embed([text], "query")).vectors
    const vector = nearest(question)
    const lists = (near: Ranking) => [
      { weight: 1 - weight, hits: lexical },
      { weight, hits: near }
    ]
    const fused = sorted(fuseScaled(lists(vector)))
    const best = fused
      .slice(0, Number(values.passages))
      .map(({ id, score }) => ({ vector: vectorOf.get(id) ?? question, weight: score }))
    score("BM25, all words once", search([...new Set(analyze(text))]))
    score("BM25, all words", search(analyze(text)))
    score("BM25, without stop words", lexical)
    score("LSA", vector)
    score("reciprocal ranks", sorted(fuseReciprocalRank(lists(vector))))
    score("scaled scores", fused)
    score("scaled scores, feedback", sorted(fuseScaled(lists(nearest(rocchio(question, best))))))
  }
  for (const [stage, value] of totals)
    console.log(`${name.padEnd(10)} ${stage.padEnd(26)} ${value.toFixed(3)}`)
})

await Effect.runPromise(
  Effect.forEach([cranfield(), cisi()], measure, { discard: true }).pipe(
    Effect.scoped,
    Effect.provide(embedders[0].build({ seed: Number(values.seed) }))
  )
)
