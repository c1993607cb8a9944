/**
 * Retrieval quality of the whole system on four sets with the same settings: the questions and the known-item set over
 * omnibioai, Cranfield and CISI. One JSON line a set.
 *
 *   node bench/retrieval.ts [--embedder "YAML of the embedder selection"] [--mode hybrid,vector,lexical]
 *     [--weights 0.3,0.5] [--feedback false] [--sets questions,cisi] [--top-k 10] [--reranker YAML]
 *
 * With a reranker each mode is measured without it and with it. It reads three times as many passages as are asked for,
 * so that it is measured with `--top-k 10`: 100, the default, would be 300 passages a question.
 */
import {
  type AppError,
  DocumentLoader,
  definePlugin,
  type BenchmarkCase,
  Indexer,
  parseBenchmarkSet,
  selectPlugin,
  RetrievalBenchmark,
  type SearchMode
} from "@omnirag/core/app"
import { loaders } from "@omnirag/plugins-loaders"
import { Effect, Layer, Schema } from "effect"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { builtInPlugins, type PluginSet } from "@omnirag/runtime"
import { cisi, type Collection, cranfield } from "./collections.ts"
import { dataFolder, requireData, unpacked } from "./support/data.ts"
import { headlessChunker } from "./support/headlessChunker.ts"
import { memorySource } from "./support/memorySource.ts"
import { withSystemOn } from "@omnirag/testkit/withSystem"

requireData()
const { values } = parseArgs({
  options: {
    embedder: { type: "string", default: "{ use: lsa }" },
    mode: { type: "string", default: "hybrid" },
    weights: { type: "string", default: "null" },
    feedback: { type: "string", default: "true" },
    sets: { type: "string", default: "questions,known-item,cranfield,cisi" },
    "top-k": { type: "string", default: "100" },
    reranker: { type: "string" }
  }
})
const modes = values.mode.split(",") as ReadonlyArray<SearchMode>

/** The markdown loader with the path as title: a title is a heading, too. */
const untitledLoader = definePlugin({
  kind: "loader",
  name: "untitled",
  description: "Markdown without titles; for measurements",
  options: Schema.Struct({}),
  layer: () =>
    Layer.effect(
      DocumentLoader,
      Effect.map(DocumentLoader, (loader) => ({
        ...loader,
        load: (request) => Effect.map(loader.load(request), (document) => ({ ...document, title: "" }))
      }))
    ).pipe(Layer.provide(selectPlugin("loader", loaders, { use: "markdown", options: {} })))
})

const toMarkdown = ({ documents }: Collection): ReadonlyMap<string, string> =>
  new Map(documents.map(({ id, title, text }) => [`${id}.md`, `# ${title.replace(/\s+/g, " ")}\n\n${text}`]))

const toCases = (name: string, { queries }: Collection): ReadonlyArray<BenchmarkCase> =>
  queries.map(({ text, relevant }) => ({
    query: text,
    judgements: Object.fromEntries(Array.from(relevant, (id) => [`${name}/${id}.md`, 1]))
  }))

interface BenchSet {
  readonly name: string
  readonly yaml: string
  readonly plugins: PluginSet
  readonly cases: ReadonlyArray<BenchmarkCase>
}

const collectionSet = (name: string, collection: Collection): BenchSet => ({
  name,
  yaml: "sources: [{ use: memory }]",
  plugins: { ...builtInPlugins, source: [memorySource(name, toMarkdown(collection))] },
  cases: toCases(name, collection)
})

const repositoryNames = Effect.sync(() => unpacked("omnibioai"))

const omnibioaiSet = Effect.fnUntraced(function* (name: string, file: string, headless: boolean) {
  const base = yield* repositoryNames
  const cases = yield* parseBenchmarkSet(readFileSync(join(dataFolder, file), "utf8"))
  const names = yield* Effect.promise(async () => (await import("node:fs/promises")).readdir(base))
  return {
    name,
    yaml: `sources: [{ use: repositories, options: { base: ${base}, names: [${names.join(", ")}] } }]
${headless ? "chunker: { use: headless }\nloaders: [{ use: untitled }]" : ""}`,
    plugins: {
      ...builtInPlugins,
      chunker: [...builtInPlugins.chunker, headlessChunker],
      loader: [...builtInPlugins.loader, untitledLoader]
    },
    cases
  } satisfies BenchSet
})

const round = (value: number) => Math.round(value * 1000) / 1000

const evaluate = Effect.fnUntraced(function* (
  name: string,
  cases: ReadonlyArray<BenchmarkCase>,
  mode: SearchMode,
  weight: string,
  rerank: boolean
) {
  const started = performance.now()
  const { queries, recall, mrr, ndcg10 } = yield* RetrievalBenchmark.use((benchmark) =>
    benchmark.measure(cases, { mode, rerank, topK: Number(values["top-k"]) })
  )
  console.log(
    JSON.stringify({
      set: name,
      embedder: values.embedder,
      mode,
      ...(mode === "hybrid" && weight !== "null" ? { vectorWeight: Number(weight) } : {}),
      ...(rerank ? { reranker: values.reranker } : {}),
      topK: Number(values["top-k"]),
      queries,
      recall1: round(recall["1"]),
      recall5: round(recall["5"]),
      recall10: round(recall["10"]),
      mrr: round(mrr),
      ndcg10: round(ndcg10),
      msPerQuery: round((performance.now() - started) / queries)
    })
  )
})

const rerankings = values.reranker === undefined ? [false] : [false, true]

const evaluateEach = (name: string, cases: ReadonlyArray<BenchmarkCase>, mode: SearchMode, weight: string) =>
  Effect.forEach(rerankings, (rerank) => evaluate(name, cases, mode, weight, rerank))

/** Indexes the set once, then measures each mode, and hybrid with each weight. */
const measure = Effect.fnUntraced(function* ({ name, yaml, plugins, cases }: BenchSet) {
  const data = mkdtempSync(join(tmpdir(), "omnirag-bench-data-"))
  const configured = (weight: string) => `${yaml}
embedder: ${values.embedder}
retrieval: { vectorWeight: ${weight}, feedback: ${values.feedback} }
${values.reranker === undefined ? "" : `reranker: ${values.reranker}`}
`
  yield* withSystemOn(
    configured("null"),
    plugins,
    Effect.gen(function* () {
      const started = performance.now()
      const run = yield* Indexer.use((indexer) => indexer.run({}))
      const seconds = (performance.now() - started) / 1000
      console.log(
        JSON.stringify({
          set: name,
          chunks: run.counts.chunksNew,
          embedded: run.counts.embedded,
          seconds: round(seconds),
          embeddedPerSecond: round(run.counts.embedded / seconds)
        })
      )
      for (const mode of modes) if (mode !== "hybrid") yield* evaluateEach(name, cases, mode, "null")
    }),
    data
  )
  if (modes.includes("hybrid")) {
    for (const weight of values.weights.split(",")) {
      yield* withSystemOn(configured(weight), plugins, evaluateEach(name, cases, "hybrid", weight), data)
    }
  }
  rmSync(data, { recursive: true })
})

await Effect.runPromise(
  Effect.gen(function* () {
    const sets: Record<string, Effect.Effect<BenchSet, AppError>> = {
      questions: omnibioaiSet("questions", "eval-omnibioai-questions.json", false),
      "known-item": omnibioaiSet("known-item", "eval-omnibioai-known-item.json", true),
      cranfield: Effect.sync(() => collectionSet("cranfield", cranfield())),
      cisi: Effect.sync(() => collectionSet("cisi", cisi()))
    }
    for (const name of values.sets.split(",")) {
      const set = sets[name]
      if (set === undefined) throw new Error(`--sets knows ${Object.keys(sets).join(", ")}, not ${name}`)
      yield* measure(yield* set)
    }
  })
)
