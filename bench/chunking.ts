/**
 * Measures the markdown chunker: MB/s over the files of wild.tar.gz beside markdown-it's own block parse of the same
 * texts, and how much longer twice the input takes for inputs that make chunkers quadratic (`growth`, 2 is linear).
 * `growth` and the figures with `Cpu` are processor time of the thread, the others time on the clock; each is the best
 * of the rounds, for what else the machine does only ever adds time. Prints one line of JSON.
 *
 *     node bench/chunking.ts [rounds]
 */
import type { Document } from "@omnirag/core/app"
import { makeMarkdownChunker } from "@omnirag/plugins-chunkers/markdown"
import { Effect, Stream } from "effect"
import MarkdownIt from "markdown-it"
import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { testData } from "./collections.ts"

const rounds = Number(process.argv[2] ?? 7)
const archive = join(testData(), "wild.tar.gz")
if (!existsSync(archive)) {
  console.error(`there is no ${archive}: set OMNIRAG_TEST_DATA`)
  process.exit(2)
}

const document = (text: string): Document => ({
  id: "bench/document.md",
  source: "bench",
  path: "document.md",
  bundle: null,
  mediaType: "text/markdown",
  title: "Document",
  text,
  contentHash: "",
  metadata: {},
  pages: []
})

const chunker = makeMarkdownChunker({ maxLength: 2_000, minLength: 10, overlap: 0 })
const count = (document: Document): number => Effect.runSync(Stream.runCount(chunker.split(document)))
const parser = new MarkdownIt("default", { html: true })
parser.core.ruler.enableOnly(["normalize", "block"])

const readWild = (): ReadonlyArray<Document> => {
  const folder = mkdtempSync(join(tmpdir(), "omnirag-bench-"))
  try {
    execFileSync("tar", ["xzf", archive, "-C", folder])
    return readdirSync(folder, { encoding: "utf8", recursive: true })
      .filter((name) => name.endsWith(".md"))
      .map((name) => document(readFileSync(join(folder, name), "utf8")))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const cpuSeconds = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1e6
}

/** Shortest times of some runs, in seconds: on the clock, and of this thread on a processor. */
const best = (run: () => void): { readonly wall: number; readonly cpu: number } => {
  let wall = Infinity
  let cpu = Infinity
  for (let round = 0; round < rounds; round++) {
    const [start, cpuStart] = [performance.now(), cpuSeconds()]
    run()
    wall = Math.min(wall, (performance.now() - start) / 1_000)
    cpu = Math.min(cpu, cpuSeconds() - cpuStart)
  }
  return { wall, cpu }
}

const rounded = (value: number): number => Number(value.toFixed(2))

const wild = readWild()
const megabytes = wild.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) / 1e6
let chunks = 0
const chunkTime = best(() => {
  chunks = wild.reduce((sum, document) => sum + count(document), 0)
})
const parseTime = best(() => {
  for (const { text } of wild) parser.parse(text, {})
})

/** Each is about twice as long for twice the number. */
const inputs: Readonly<Record<string, (size: number) => string>> = {
  "16,000 fences": (size) => "```js\n# no heading\n```\n\n".repeat(16_000 * size),
  "8 MB paragraph": (size) => "Some words of a sentence, and more. ".repeat(233_000 * size),
  "5 MB line": (size) => "x".repeat(5_000_000 * size),
  "5 MB of emoji": (size) => "👩‍👩‍👧‍👦".repeat(450_000 * size),
  "5 MB fence": (size) => `\`\`\`\n${"some line of code\n".repeat(280_000 * size)}\`\`\``,
  "20,000 headings": (size) => "## heading\n\ntext\n\n".repeat(20_000 * size),
  "40,000 table rows": (size) => `| a | b |\n|---|---|\n${"| cell | cell |\n".repeat(40_000 * size)}`,
  "40,000 items": (size) => "- item\n  - nested\n".repeat(20_000 * size),
  "quotes 500 deep": (size) => `${">".repeat(500)} deep\n`.repeat(2_000 * size),
  "items on one line": (size) => `${"- ".repeat(300)}deep\n`.repeat(1_000 * size),
  "1 MB of blank lines": (size) => `a${"\n".repeat(1_000_000 * size)}b`
}
const growth = Object.fromEntries(
  Object.entries(inputs).map(([name, make]) => {
    const [single, double] = [document(make(1)), document(make(2))]
    const ratio = best(() => count(double)).cpu / best(() => count(single)).cpu
    return [name, rounded(ratio)]
  })
)

console.log(
  JSON.stringify({
    files: wild.length,
    megabytes: rounded(megabytes),
    chunks,
    megabytesPerSecond: rounded(megabytes / chunkTime.wall),
    megabytesPerCpuSecond: rounded(megabytes / chunkTime.cpu),
    parserMegabytesPerSecond: rounded(megabytes / parseTime.wall),
    parserMegabytesPerCpuSecond: rounded(megabytes / parseTime.cpu),
    cpuTimeAgainstParser: rounded(chunkTime.cpu / parseTime.cpu),
    growth
  })
)
