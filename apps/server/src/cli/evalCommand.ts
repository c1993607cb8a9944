import { parseBenchmarkSet, RetrievalBenchmark, type RetrievalReport } from "@omnirag/core/app"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { readInputText } from "./inputFile.ts"
import { printJson, printLine } from "./output.ts"
import { json } from "./root.ts"
import { withApp } from "./withApp.ts"

const describe = (report: RetrievalReport): string =>
  [
    `queries    ${report.queries}`,
    `recall@1   ${report.recall["1"].toFixed(3)}`,
    `recall@5   ${report.recall["5"].toFixed(3)}`,
    `recall@10  ${report.recall["10"].toFixed(3)}`,
    `MRR        ${report.mrr.toFixed(3)}`,
    `nDCG@10    ${report.ndcg10.toFixed(3)}`,
    ...report.failures.map(
      ({ query, expected, found }) =>
        `not in the first ten: "${query}" → ${expected} (first: ${found[0] ?? "nothing"})`
    )
  ].join("\n")

export const evalCommand = Command.make(
  "eval",
  {
    set: Flag.String("set").pipe(
      Flag.withDescription(
        "JSON file: an array of questions with `query` and `expected_source_contains` (part of the path that should be found)"
      )
    ),
    mode: Flag.Literals("mode", ["hybrid", "vector", "lexical"]).pipe(
      Flag.withDescription("Which lists are searched; the configured mode when absent"),
      Flag.optional
    ),
    rerank: Flag.Boolean("rerank").pipe(Flag.withDescription("Rerank every case"), Flag.optional),
    topK: Flag.Int("top-k").pipe(
      Flag.withAlias("k"),
      Flag.withDescription(
        "Passages asked for, 100 when absent; fewer make an evaluation with --rerank shorter, which scores three times as many"
      ),
      Flag.optional
    ),
    json
  },
  Effect.fn(function* ({ set, mode, rerank, topK, json: asJson }) {
    const text = yield* readInputText("set", set)
    const cases = yield* parseBenchmarkSet(text)
    const report = yield* withApp(
      RetrievalBenchmark.use((benchmark) =>
        benchmark.measure(cases, {
          mode: Option.getOrUndefined(mode),
          rerank: Option.getOrUndefined(rerank),
          topK: Option.getOrUndefined(topK)
        })
      )
    )
    yield* asJson ? printJson(report) : printLine(describe(report))
  })
).pipe(Command.withDescription("Measure retrieval on questions whose right documents are known"))
