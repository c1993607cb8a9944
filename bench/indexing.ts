/**
 * Indexing, from the first run to a change that is found: times, counts of embedding calls, memory and disk. Each
 * measurement runs in a process of its own and prints one JSON line.
 *
 *   node bench/indexing.ts [corpus|watch|command|overlap|growth|large ...]
 *
 * corpus   wild + omnibioai with the embedded default: full, unchanged, one file changed, a tenth changed
 * watch    time from a change on disk to its being found, quiet interval included
 * command  `omnirag index` with nothing changed, from start to exit
 * overlap  an embedder of 20 ms a call: the whole run against its stages alone
 * growth   10, 30 and 100 thousand chunks of 768 dimensions
 * large    one text file of 100 MB: peak memory above that of the idle process
 */
import { GenerationReader, Indexer, type IndexRun, keepUpToDate, Retriever } from "@omnirag/core/app"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { builtInPlugins, type PluginSet } from "@omnirag/runtime"
import { requireData, unpacked } from "./support/data.ts"
import { manyFiles } from "./support/manyFiles.ts"
import { peakMemory } from "./support/peakMemory.ts"
import { stubEmbedder } from "./support/stubEmbedder.ts"
import { withSystemOn } from "@omnirag/testkit/withSystem"

const seconds = (from: number): number => Math.round(performance.now() - from) / 1000
const print = (line: Record<string, unknown>) => console.log(JSON.stringify(line))

/** The counts of a run that tell how much work it was. */
const work = ({ status, counts }: IndexRun) => ({
  status,
  files: counts.files,
  changed: counts.changed,
  chunks: counts.chunksNew,
  embedded: counts.embedded,
  embeddingCalls: counts.embeddingCalls
})

const index = Effect.gen(function* () {
  const started = performance.now()
  const run = yield* Indexer.use((indexer) => indexer.run({}))
  return { run, seconds: seconds(started) }
})

/** Bytes of all files below a folder. */
const diskUse = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

const withFolder = <A>(use: (folder: string) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "omnirag-bench-"))
  return use(folder).finally(() => rmSync(folder, { recursive: true, force: true }))
}

/** A copy of both corpora that may be changed, and the sources over it. */
const copyCorpus = (folder: string) => {
  for (const name of ["wild", "omnibioai"]) cpSync(unpacked(name), join(folder, name), { recursive: true })
  const files = readdirSync(join(folder, "wild"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => join(folder, "wild", path))
    .toSorted()
  const yaml = `sources:
  - { use: folder, options: { name: wild, path: ${join(folder, "wild")} } }
  - { use: folder, options: { name: omnibioai, path: ${join(folder, "omnibioai")} } }`
  return { files, yaml }
}

const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => Effect.runPromise(effect)

const corpus = () =>
  withFolder((folder) => {
    requireData()
    const { files, yaml } = copyCorpus(folder)
    return run(
      withSystemOn(
        yaml,
        builtInPlugins,
        Effect.gen(function* () {
          const measure = Effect.fnUntraced(function* (what: string) {
            const result = yield* index
            print({
              bench: "corpus",
              what,
              seconds: result.seconds,
              ...work(result.run),
              peakMb: peakMemory()
            })
          })
          yield* measure("full")
          // the files are a moment old: the second run looks at their bytes once more
          yield* Effect.promise(() => sleep(2_100))
          yield* measure("settling")
          yield* measure("unchanged")
          appendFileSync(files[0] ?? "", "\n\nOne more sentence about zanzibar.\n")
          yield* measure("one file changed")
          files
            .filter((_, n) => n % 10 === 0)
            .forEach((file) => appendFileSync(file, "\n\nAnother sentence.\n"))
          yield* measure("a tenth changed")
        }),
        join(folder, "data")
      )
    )
  })

const watch = () =>
  withFolder((folder) => {
    requireData()
    const { files, yaml } = copyCorpus(folder)
    return run(
      withSystemOn(
        yaml,
        builtInPlugins,
        Effect.gen(function* () {
          yield* index
          yield* Effect.forkScoped(keepUpToDate({ watch: true }))
          const found = (word: string) =>
            Retriever.use((retriever) => retriever.search({ query: word, topK: 1, mode: "lexical" })).pipe(
              Effect.map(({ hits }) => hits.length > 0)
            )
          const times: Array<number> = []
          // the first change waits for the watching to begin
          for (const word of ["zanzibarone", "zanzibartwo", "zanzibarthree", "zanzibarfour"]) {
            appendFileSync(files[5] ?? "", `\n\nA sentence about ${word}.\n`)
            const started = performance.now()
            while (!(yield* found(word))) yield* Effect.promise(() => sleep(10))
            times.push(seconds(started))
          }
          print({ bench: "watch", secondsToFound: times.slice(1), quietSeconds: 0.5 })
        }),
        join(folder, "data")
      )
    )
  })

const command = () =>
  withFolder((folder) => {
    requireData()
    const { yaml } = copyCorpus(folder)
    const file = join(folder, "omnirag.yaml")
    writeFileSync(file, `data: ${join(folder, "data")}\n${yaml}\n`)
    const omnirag = () => {
      const started = performance.now()
      const { status } = spawnSync(process.execPath, ["apps/server/src/main.ts", "index", "--config", file])
      return { status, seconds: seconds(started) }
    }
    print({ bench: "command", what: "full", ...omnirag() })
    omnirag()
    print({ bench: "command", what: "unchanged", ...omnirag() })
    return Promise.resolve()
  })

const withStub = (milliseconds: number): PluginSet => ({
  ...builtInPlugins,
  embedder: [...builtInPlugins.embedder, stubEmbedder({ milliseconds, batchSize: 64, dimensions: 384 })]
})

const overlap = async () => {
  const once = (milliseconds: number) =>
    withFolder((folder) => {
      requireData()
      const { yaml } = copyCorpus(folder)
      return run(
        withSystemOn(`${yaml}\nembedder: { use: stub }`, withStub(milliseconds), index, join(folder, "data"))
      )
    })
  await once(0)
  const alone = await once(0)
  const together = await once(20)
  const waiting = (together.run.counts.embeddingCalls * 20) / 1000
  print({
    bench: "overlap",
    ...work(together.run),
    secondsWithoutWaiting: alone.seconds,
    secondsOfWaiting: waiting,
    seconds: together.seconds,
    shareOfSum: Math.round((100 * together.seconds) / (alone.seconds + waiting)) / 100
  })
}

const growth = (chunks: number) =>
  withFolder(async (folder) => {
    const idle = peakMemory()
    const plugins: PluginSet = {
      ...builtInPlugins,
      source: [...builtInPlugins.source, manyFiles({ chunks, chunksPerFile: 20 })],
      embedder: [
        ...builtInPlugins.embedder,
        stubEmbedder({ milliseconds: 0, batchSize: 256, dimensions: 768 })
      ]
    }
    const data = join(folder, "data")
    await run(
      withSystemOn(
        "sources: [{ use: many }]\nembedder: { use: stub }",
        plugins,
        Effect.gen(function* () {
          const full = yield* index
          const again = yield* index
          const { catalog } = yield* GenerationReader.use(({ live }) => live)
          const vectors = yield* catalog.cache.count
          print({
            bench: "growth",
            ...work(full.run),
            seconds: full.seconds,
            unchangedSeconds: again.seconds,
            vectors,
            peakMbAboveIdle: peakMemory() - idle,
            diskMb: Math.round(diskUse(data) / 1e6)
          })
        }),
        data
      )
    )
  })

const large = (embedder: string) =>
  withFolder(async (folder) => {
    spawnSync(process.execPath, [
      join(import.meta.dirname, "support/writeLargeText.ts"),
      join(folder, "large.txt")
    ])
    const plugins: PluginSet = {
      ...builtInPlugins,
      embedder: [
        ...builtInPlugins.embedder,
        stubEmbedder({ milliseconds: 0, batchSize: 256, dimensions: 768 })
      ]
    }
    await run(
      withSystemOn(
        `sources: [{ use: folder, options: { name: log, path: ${folder}, include: ["*.txt"], maxBytes: 200000000 } }]\nembedder: { use: ${embedder} }`,
        plugins,
        Effect.gen(function* () {
          const idle = peakMemory()
          const full = yield* index
          print({
            bench: "large",
            embedder,
            ...work(full.run),
            seconds: full.seconds,
            idleMb: idle,
            peakMbAboveIdle: peakMemory() - idle
          })
        }),
        join(folder, "data")
      )
    )
  })

const cases: Readonly<Record<string, () => Promise<void>>> = {
  corpus,
  watch,
  command,
  overlap,
  "growth-10k": () => growth(10_000),
  "growth-30k": () => growth(30_000),
  "growth-100k": () => growth(100_000),
  "large-stub": () => large("stub"),
  "large-lsa": () => large("lsa")
}

const [, , only, ...rest] = process.argv
const single = only === "--case" ? cases[rest[0] ?? ""] : undefined
if (single !== undefined) {
  await single()
} else {
  const wanted = only === undefined ? [""] : [only, ...rest]
  for (const name of Object.keys(cases).filter((name) => wanted.some((prefix) => name.startsWith(prefix)))) {
    spawnSync(process.execPath, [...process.execArgv, import.meta.filename, "--case", name], {
      stdio: "inherit"
    })
  }
}
