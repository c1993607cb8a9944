import { Context, Effect, Layer } from "effect"
import type { SearchMode } from "../domain/Hit.ts"
import { Retriever, type SearchError } from "../retrieval/Retriever.ts"
import { requestBounds } from "../domain/requestBounds.ts"
import type { BenchmarkCase } from "./BenchmarkSet.ts"
import { ndcgAt, type RankedCase, recallAt, reciprocalRank } from "./retrievalMetrics.ts"
import { scopeOf } from "./scopeOf.ts"

/** A case whose right document was not among the first ten. */
export interface BenchmarkFailure {
  readonly query: string
  readonly expected: string
  /** The documents found, best first. */
  readonly found: ReadonlyArray<string>
}

export interface RetrievalReport {
  readonly queries: number
  readonly recall: { readonly "1": number; readonly "5": number; readonly "10": number }
  readonly mrr: number
  readonly ndcg10: number
  readonly failures: ReadonlyArray<BenchmarkFailure>
}

export interface BenchmarkOptions {
  readonly mode?: SearchMode | undefined
  /** Rerank every case, whatever the case itself says. */
  readonly rerank?: boolean | undefined
  /**
   * Passages asked for, 1 … 100; 100 when absent, so that ten documents are found however many passages each has. A
   * reranker reads `candidateFactor` times as many for each case: with a reranker, ask for as many as users do.
   */
  readonly topK?: number | undefined
}

const depth = 10

/**
 * Judges the documents that were found. A case in the original format has one right place, which counts once: at the
 * first document that matches.
 */
const judge = (testCase: BenchmarkCase, documents: ReadonlyArray<string>): RankedCase => {
  if ("judgements" in testCase) {
    return {
      grades: documents.map((id) => testCase.judgements[id] ?? 0),
      ideal: Object.values(testCase.judgements).filter((grade) => grade > 0)
    }
  }
  const first = documents.findIndex((id) => id.includes(testCase.expected_source_contains))
  return { grades: documents.map((_, index) => (index === first ? 1 : 0)), ideal: [1] }
}

const expectedOf = (testCase: BenchmarkCase): string =>
  "judgements" in testCase ? Object.keys(testCase.judgements).join(", ") : testCase.expected_source_contains

/** Measures retrieval on questions whose right documents are known. Ranks count distinct documents. */
export class RetrievalBenchmark extends Context.Service<
  RetrievalBenchmark,
  {
    readonly measure: (
      cases: ReadonlyArray<BenchmarkCase>,
      options?: BenchmarkOptions
    ) => Effect.Effect<RetrievalReport, SearchError>
  }
>()("@omnirag/core/benchmark/RetrievalBenchmark") {
  static readonly layer = Layer.effect(
    RetrievalBenchmark,
    Effect.gen(function* () {
      const retriever = yield* Retriever

      const rank = Effect.fnUntraced(function* (testCase: BenchmarkCase, options: BenchmarkOptions) {
        const { hits } = yield* retriever.search({
          query: testCase.query,
          topK: options.topK ?? requestBounds.topK,
          where: scopeOf(testCase),
          mode: options.mode,
          rerank: options.rerank ?? testCase.rerank
        })
        const documents = [...new Set(hits.map((hit) => hit.chunk.documentId))]
        return { testCase, documents, ranked: judge(testCase, documents) }
      })

      const measure = Effect.fn("RetrievalBenchmark.measure")(function* (
        cases: ReadonlyArray<BenchmarkCase>,
        options: BenchmarkOptions = {}
      ) {
        const results = yield* Effect.forEach(cases, (testCase) => rank(testCase, options))
        const mean = (value: (ranked: RankedCase) => number) =>
          results.reduce((sum, { ranked }) => sum + value(ranked), 0) / Math.max(1, results.length)
        return {
          queries: results.length,
          recall: {
            "1": mean((ranked) => recallAt(ranked, 1)),
            "5": mean((ranked) => recallAt(ranked, 5)),
            "10": mean((ranked) => recallAt(ranked, depth))
          },
          mrr: mean(reciprocalRank),
          ndcg10: mean((ranked) => ndcgAt(ranked, depth)),
          failures: results
            .filter(({ ranked }) => recallAt(ranked, depth) === 0)
            .map(({ testCase, documents }) => ({
              query: testCase.query,
              expected: expectedOf(testCase),
              found: documents.slice(0, depth)
            }))
        } satisfies RetrievalReport
      })

      return RetrievalBenchmark.of({ measure })
    })
  )
}
