/**
 * Measures ONNX embedders on chunks of the omnibioai corpus, 1 and 2 processes: texts and characters per second, time
 * from nothing to the first vector. Prints one line of JSON for each run; `speedup` is against 1 process of the same
 * model in the same run.
 *
 *     scripts/fetch-models.sh && node bench/embedders.ts [texts] [model folder ...]
 */
import { memoryArtifacts } from "@omnirag/core/testing/memoryArtifacts"
import { Chunker, DocumentLoader, EmbedderProvider, HealthChecks, selectPlugin } from "@omnirag/core/app"
import { markdownChunker } from "@omnirag/plugins-chunkers"
import { loaders } from "@omnirag/plugins-loaders"
import { Context, Effect, Layer, Option, Stream } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { embedders } from "@omnirag/plugins-models"
import { testData } from "./collections.ts"

const [wanted = "256", ...folders] = process.argv.slice(2)
const models = process.env["OMNIRAG_MODELS"] ?? resolve(import.meta.dirname, "../.models")
const chosen =
  folders.length > 0
    ? folders
    : ["all-MiniLM-L6-v2-q", "bge-small-en-v1.5-q"].map((name) => join(models, name))

const archive = join(testData(), "omnibioai.tar.gz")
if (!existsSync(archive)) {
  console.error(`there is no ${archive}: set OMNIRAG_TEST_DATA`)
  process.exit(2)
}

/** Every chunk of the corpus, by the markdown loader and chunker with their own defaults. */
const corpus = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "omnirag-bench-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true }))
  )
  execFileSync("tar", ["xzf", archive, "-C", folder])
  const loader = yield* DocumentLoader
  const chunker = yield* Chunker
  return yield* Stream.fromIterable(globSync("**/*.md", { cwd: folder }).toSorted()).pipe(
    Stream.mapEffect((path) =>
      loader.load({ source: "bench", path, bytes: readFileSync(join(folder, path)) })
    ),
    Stream.flatMap((document) => chunker.split(document)),
    Stream.map((chunk) => chunk.text),
    Stream.runCollect
  )
}).pipe(
  Effect.scoped,
  Effect.provide(
    Layer.merge(selectPlugin("loader", loaders, { use: "markdown", options: {} }), markdownChunker.build({}))
  )
)

const measure = Effect.fnUntraced(function* (model: string, workers: number, texts: ReadonlyArray<string>) {
  const started = performance.now()
  const context = yield* Layer.build(
    selectPlugin("embedder", embedders, { use: "onnx", options: { model, workers } }).pipe(
      Layer.provide(HealthChecks.layer)
    )
  )
  const embedder = Option.getOrThrow(yield* Context.get(context, EmbedderProvider).load(memoryArtifacts()))
  yield* embedder.embed(["warm"], "query")
  const coldStartMillis = Math.round(performance.now() - started)
  // every process has to be up before the clock starts
  yield* embedder.embed(
    Array.from({ length: workers * 8 }, () => "warm"),
    "document"
  )
  const begun = performance.now()
  let windowed = 0
  for (let at = 0; at < texts.length; at += embedder.batchSize) {
    const { warnings = [] } = yield* embedder.embed(texts.slice(at, at + embedder.batchSize), "document")
    windowed += warnings.length
  }
  return { seconds: (performance.now() - begun) / 1000, coldStartMillis, windowed }
}, Effect.scoped)

const program = Effect.gen(function* () {
  const chunks = yield* corpus
  const step = Math.max(1, Math.floor(chunks.length / Number(wanted)))
  const texts = chunks.filter((_, index) => index % step === 0).slice(0, Number(wanted))
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  for (const model of chosen) {
    let alone: number | undefined
    for (const workers of [1, 2]) {
      const { seconds, coldStartMillis, windowed } = yield* measure(model, workers, texts)
      alone ??= seconds
      console.log(
        JSON.stringify({
          bench: "embedders",
          model: basename(model),
          workers,
          cores: availableParallelism(),
          texts: texts.length,
          meanCharacters: Math.round(characters / texts.length),
          windowed,
          textsPerSecond: Number((texts.length / seconds).toFixed(1)),
          charactersPerSecond: Math.round(characters / seconds),
          speedup: Number((alone / seconds).toFixed(2)),
          coldStartMillis
        })
      )
    }
  }
})

await Effect.runPromise(program)
