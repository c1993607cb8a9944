/**
 * Retrieval quality of the whole system on four sets with the same settings: the questions and the known-item set over
 * omnibioai, Cranfield and CISI. One JSON line a set.
 *
 *   node bench/retrieval.ts [--embedder "YAML of the embedder selection"] [--mode hybrid|vector|lexical] [--reranker YAML]
 */
import {
  DocumentLoader,
  definePlugin,
  type EvaluationCase,
  Indexer,
  parseEvaluationSet,
  selectPlugin,
  RetrievalEvaluation,
  type SearchMode
} from "@omnirag/core"
import { loaders } from "@omnirag/plugins-loaders"
import { Effect, Layer, Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { builtInPlugins, type PluginSet } from "../apps/server/src/plugins.ts"
import { cisi, type Collection, cranfield } from "./collections.ts"
import { dataFolder, requireData, unpacked } from "./support/data.ts"
import { headlessChunker } from "./support/headlessChunker.ts"
import { memorySource } from "./support/memorySource.ts"
import { inSystem } from "./support/system.ts"

requireData()
const { values } = parseArgs({
  options: {
    embedder: { type: "string", default: "{ use: lsa }" },
    mode: { type: "string", default: "hybrid" },
    reranker: { type: "string" },
    retrieval: { type: "string", default: "{}" }
  }
})
const mode = values.mode as SearchMode

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

const toCases = (name: string, { queries }: Collection): ReadonlyArray<EvaluationCase> =>
  queries.map(({ text, relevant }) => ({
    query: text,
    judgements: Object.fromEntries(Array.from(relevant, (id) => [`${name}/${id}.md`, 1]))
  }))

interface BenchSet {
  readonly name: string
  readonly yaml: string
  readonly plugins: PluginSet
  readonly cases: ReadonlyArray<EvaluationCase>
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
  const cases = yield* parseEvaluationSet(readFileSync(join(dataFolder, file), "utf8"))
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

const measure = ({ name, yaml, plugins, cases }: BenchSet) =>
  inSystem(
    `${yaml}
embedder: ${values.embedder}
retrieval: ${values.retrieval}
${values.reranker === undefined ? "" : `reranker: ${values.reranker}`}
`,
    plugins,
    Effect.gen(function* () {
      const run = yield* Indexer.use((indexer) => indexer.run({}))
      const started = performance.now()
      const report = yield* RetrievalEvaluation.use((evaluation) =>
        evaluation.evaluate(cases, { mode, rerank: values.reranker !== undefined })
      )
      const { queries, recall, mrr, ndcg10 } = report
      const round = (value: number) => Math.round(value * 1000) / 1000
      console.log(
        JSON.stringify({
          set: name,
          mode,
          chunks: run.counts.chunksNew,
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
  )

await Effect.runPromise(
  Effect.gen(function* () {
    yield* measure(yield* omnibioaiSet("questions", "eval-omnibioai-questions.json", false))
    yield* measure(yield* omnibioaiSet("known-item", "eval-omnibioai-known-item.json", true))
    yield* measure(collectionSet("cranfield", cranfield()))
    yield* measure(collectionSet("cisi", cisi()))
  })
)
