/**
 * Measures the SQLite catalog on a synthetic corpus: 17,000 chunks of about 1,000 characters in 1,500 documents, words
 * drawn from a Zipf vocabulary, vectors of 200 dimensions. Deterministic; prints one line of JSON.
 *
 *     node bench/catalog.ts [chunks] [documents]
 */
import {
  type Catalog,
  type Chunk,
  ChunkFilter,
  CatalogProvider,
  DataFolder,
  type DocumentEntry,
  type LexicalIndex,
  analyze,
  chunkAnalysis as analysis,
  makeChunkIds,
  textHash
} from "@omnirag/core/app"
import { sqliteCatalog } from "@omnirag/plugins-catalog"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const chunkCount = Number(process.argv[2] ?? 17_000)
const documentCount = Number(process.argv[3] ?? 1_500)
const dimensions = 200
const vocabularySize = 30_000
const chunkLength = 1_000
const queries = 101

/** Mulberry32: a small generator with a seed, so that every run has the same corpus. */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

const random = randomFrom(42)
const syllables = [
  "ka",
  "to",
  "mi",
  "ren",
  "sol",
  "va",
  "che",
  "lu",
  "dor",
  "pi",
  "nas",
  "ge",
  "ful",
  "om",
  "tri",
  "bex"
]
const word = (rank: number): string => {
  let rest = rank + 1
  let made = ""
  while (rest > 0) {
    made += syllables[rest % syllables.length] ?? ""
    rest = Math.floor(rest / syllables.length)
  }
  return made
}
const vocabulary = Array.from({ length: vocabularySize }, (_, rank) => word(rank))
// Zipf with exponent 1: cumulative weights, looked up by bisection
const cumulative = new Float64Array(vocabularySize)
cumulative.forEach((_, rank) => {
  cumulative[rank] = (cumulative[rank - 1] ?? 0) + 1 / (rank + 1)
})
const zipfWord = (): string => {
  const target = random() * (cumulative[vocabularySize - 1] ?? 1)
  let low = 0
  let high = vocabularySize - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cumulative[middle] ?? 0) < target) low = middle + 1
    else high = middle
  }
  return vocabulary[low] ?? ""
}
const words = (length: number): string => {
  let text = ""
  while (text.length < length) text += `${zipfWord()} `
  return text.trimEnd()
}

const makeEntry = (index: number): DocumentEntry => {
  const path = `folder${index % 20}/document${index}.md`
  const id = `source${index % 10}/${path}`
  const idOf = makeChunkIds(id)
  const from = Math.floor((index * chunkCount) / documentCount)
  const to = Math.floor(((index + 1) * chunkCount) / documentCount)
  let text = ""
  const chunks = Array.from({ length: to - from }, (_, position): Chunk => {
    const heading = words(20)
    const body = words(chunkLength)
    const start = text.length
    text += `${body}\n\n`
    const chunkText = `${heading}\n\n${body}`
    return {
      id: idOf(null, chunkText),
      documentId: id,
      index: position,
      text: chunkText,
      bodyOffset: heading.length + 2,
      start,
      end: start + body.length,
      startLine: position * 2 + 1,
      endLine: position * 2 + 1,
      headingPath: [`Document ${index}`, heading],
      page: null,
      intent: null,
      confidence: 1
    }
  })
  return {
    document: {
      id,
      source: `source${index % 10}`,
      path,
      bundle: `folder${index % 20}`,
      mediaType: "text/markdown",
      title: `Document ${index}`,
      text,
      contentHash: textHash(text),
      metadata: { number: index, tags: [`tag${index % 7}`, "all"] },
      pages: []
    },
    file: { path, size: text.length, modifiedAt: index, contentHash: textHash(text) },
    revision: null,
    chunks,
    vectors: chunks.map((chunk) => ({
      textHash: textHash(chunk.text),
      vector: Float32Array.from({ length: dimensions }, random)
    })),
    fingerprint: "bench"
  }
}

const lexicalOf = ({ lexical, name }: Catalog): LexicalIndex => {
  if (lexical === null) throw new Error(`the catalog ${name} has no lexical index`)
  return lexical
}

const milliseconds = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const start = performance.now()
    const value = yield* effect
    return [performance.now() - start, value] as const
  })

const percentiles = <E, R>(run: (index: number) => Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const times: Array<number> = []
    for (let index = 0; index < queries; index++) times.push((yield* milliseconds(run(index)))[0])
    times.sort((left, right) => left - right)
    const at = (share: number) => rounded(times[Math.floor(share * (queries - 1))] ?? 0)
    return { p50: at(0.5), p95: at(0.95) }
  })
const rounded = (value: number): number => Math.round(value * 100) / 100

const measure = Effect.fn("measure")(function* (folder: string) {
  const generation = { index: "bench", id: "g-000001" }
  const provider = yield* CatalogProvider
  const entries = Array.from({ length: documentCount }, (_, index) => makeEntry(index))
  const [analysisMs] = yield* milliseconds(
    Effect.sync(() => {
      for (const { chunks } of entries) for (const chunk of chunks) analyze(chunk.text)
    })
  )
  const first = yield* Effect.scoped(
    Effect.gen(function* () {
      const catalog = yield* provider.open(generation, { analysis })
      // as a run does for each document
      const replaceAll = Effect.forEach(
        entries,
        (entry) =>
          Effect.andThen(
            catalog.chunks.countRepeats(entry, () => false),
            catalog.documents.replace(entry)
          ),
        { discard: true }
      )
      const before = process.cpuUsage()
      const [fillMs] = yield* milliseconds(replaceAll)
      const used = process.cpuUsage(before)
      const [unchangedMs] = yield* milliseconds(replaceAll)
      const [outboxMs] = yield* milliseconds(catalog.outbox.pending("bench", 1000))
      return { fillMs, fillCpuMs: (used.user + used.system) / 1000, unchangedMs, outboxMs }
    })
  )
  const bytes = statSync(join(folder, generation.id, "catalog.sqlite")).size
  const [openMs, second] = yield* milliseconds(Effect.scoped(provider.open(generation, { analysis }))).pipe(
    Effect.zip(
      Effect.scoped(
        Effect.gen(function* () {
          const catalog = yield* provider.open(generation, { analysis })
          const questions = Array.from({ length: queries }, () => analyze(words(60)).slice(0, 10))
          const search = (where?: ChunkFilter.Filter) => (index: number) =>
            lexicalOf(catalog).search({ terms: questions[index] ?? [], limit: 200, where })
          yield* percentiles(search())
          const hashes = entries.flatMap((entry) => entry.vectors.map((vector) => vector.textHash))
          const long = Array.from({ length: 10_000 }, zipfWord)
          return {
            lexical: yield* percentiles(search()),
            lexicalOneSource: yield* percentiles(search(ChunkFilter.equals("repo", "source3"))),
            lexicalGlob: yield* percentiles(search(ChunkFilter.compare("path", "glob", "folder1*/**"))),
            lexicalMetadata: yield* percentiles(search(ChunkFilter.isIn("metadata.tags", ["tag1", "tag2"]))),
            lexical10000TermsMs: (yield* milliseconds(
              lexicalOf(catalog).search({ terms: long, limit: 10 })
            ))[0],
            frequencies50: yield* percentiles((index) =>
              lexicalOf(catalog).statistics(
                questions
                  .slice(index, index + 5)
                  .flat()
                  .concat(questions.slice(0, 5).flat())
                  .slice(0, 50)
              )
            ),
            chunks20: yield* percentiles((index) =>
              catalog.chunks.getMany(
                Array.from(
                  { length: 20 },
                  (_, i) => entries[(index * 20 + i) % documentCount]?.chunks[0]?.id ?? ""
                )
              )
            ),
            cachedVectorsMs: (yield* milliseconds(catalog.cache.get("bench", "document", hashes)))[0],
            checkMs: (yield* milliseconds(catalog.check))[0],
            pruneMs: (yield* milliseconds(catalog.cache.prune))[0]
          }
        })
      )
    ),
    Effect.map(([[ms], rest]) => [ms, rest] as const)
  )
  const [seedMs] = yield* milliseconds(
    provider.seed({ ...generation, id: "g-000002" }, { from: generation, documents: true })
  )
  return {
    chunks: chunkCount,
    documents: documentCount,
    megabytes: bytes / 1e6,
    analysisMs,
    ...first,
    openMs,
    ...second,
    seedMs
  }
})

const folder = mkdtempSync(join(tmpdir(), "omnirag-bench-catalog-"))
const dataFolder = Layer.succeed(DataFolder, { path: folder, of: ({ id }) => join(folder, id) })
try {
  const result = await Effect.runPromise(
    measure(folder).pipe(
      Effect.provide(sqliteCatalog.build({}).pipe(Layer.provide([dataFolder, NodeServices.layer])))
    )
  )
  console.log(
    JSON.stringify(result, (_, value: unknown) => (typeof value === "number" ? rounded(value) : value))
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
