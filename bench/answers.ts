/**
 * Quality of the answers. Prints one JSON line for each of
 * - quotes: 472 public questions over five corpora with the excerpts that answer them: how often the first 1, 2, 3 … quotes
 *   of the extractive generator hold at least half of such an excerpt (or all of it, repeated elsewhere), how many
 *   UTF-16 units an answer quotes, whether every citation re-reads from its document, and how many of the questions are
 *   answered at all with the floor in use;
 * - answerability: how many questions with an answer in omnibioai are kept and how many without one are rejected, for
 *   each half of tests/evaluation/answerability.json (the floor was first chosen on `calibration`, `held-out` was never
 *   looked at) and of answerability-development.json (the rule was made on `tune` and `check` and confirmed on
 *   `confirmation`).
 *
 *   node bench/answers.ts [--measure quotes,development,answerability] [--embedder YAML] [--mode hybrid|lexical]
 *     [--sentences 5] [--answers YAML --language-model YAML]   with a model: answerability alone, unless told otherwise
 */
import {
  type Answer,
  Answering,
  Documents,
  Evidence,
  FloorCalibration,
  GenerationReader,
  Indexer,
  parseAnswerabilitySet,
  uncalibratedFloor,
  wordsFloor
} from "@omnirag/core/app"
import { Effect, Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { builtInPlugins } from "@omnirag/runtime"
import { dataFolder, requireData, unpacked } from "./support/data.ts"
import { memorySource } from "./support/memorySource.ts"
import { readCsv } from "./support/readCsv.ts"
import { withSystemOn } from "@omnirag/testkit/withSystem"

requireData()
const { values } = parseArgs({
  options: {
    measure: { type: "string" },
    embedder: { type: "string", default: "{ use: lsa }" },
    mode: { type: "string", default: "hybrid" },
    sentences: { type: "string", default: "5" },
    answers: { type: "string" },
    "language-model": { type: "string", default: "null" }
  }
})
const yaml = `embedder: ${values.embedder}
vectorStore: { use: exact }
retrieval: { mode: ${values.mode} }
answers: ${values.answers ?? `{ use: extractive, options: { sentences: ${values.sentences} } }`}
languageModel: ${values["language-model"]}`
const round = (value: number) => Math.round(value * 1000) / 1000

const Excerpts = Schema.fromJsonString(
  Schema.Array(Schema.Struct({ content: Schema.String, start_index: Schema.Int, end_index: Schema.Int }))
)
type Excerpt = (typeof Excerpts.Type)[number]

const squeezed = (text: string) => text.replace(/\s+/g, " ").trim().toLowerCase()

/** Whether the first `count` quotations hold half of an excerpt of this document, or its whole text. */
const holdsExcerpt = (
  { citations }: Answer,
  count: number,
  path: string,
  excerpts: ReadonlyArray<Excerpt>
) => {
  const quoted = citations.slice(0, count)
  return excerpts.some(({ content, start_index: from, end_index: to }) => {
    const overlap = quoted
      .filter((citation) => citation.path === path)
      .reduce((sum, { start, end }) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)), 0)
    return (
      overlap >= (to - from) / 2 || quoted.some(({ quote }) => squeezed(quote).includes(squeezed(content)))
    )
  })
}

const quotes = Effect.gen(function* () {
  const folder = join(dataFolder, "chunking-evaluation")
  const files = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith(".md"))
      .map((name) => [name, readFileSync(join(folder, name), "utf8")])
  )
  const questions = readCsv(readFileSync(join(folder, "questions_df.csv"), "utf8")).slice(1)
  yield* withSystemOn(
    // every question has an answer here: what the floor would refuse is counted and answered all the same
    `sources: [{ use: memory }]\nanswering: { floor: 0 }\n${yaml}`,
    { ...builtInPlugins, source: [memorySource("corpora", files)] },
    Effect.gen(function* () {
      yield* Indexer.use((indexer) => indexer.run({}))
      const answering = yield* Answering
      const documents = yield* Documents
      const evidence = yield* Evidence
      const { vectors } = yield* GenerationReader.use(({ live }) => live)
      const floor =
        values.mode === "lexical" ? wordsFloor : (vectors?.embedder.relevanceFloor ?? uncalibratedFloor)
      const most = Number(values.sentences)
      const hits = Array.from({ length: most }, () => 0)
      let found = 0
      let kept = 0
      let quotedUnits = 0
      let citations = 0
      let wrong = 0
      for (const [question = "", references = "[]", corpus = ""] of questions) {
        const excerpts = yield* Schema.decodeEffect(Excerpts)(references)
        const answer = yield* answering.ask({ question, topK: 5 })
        const { relevance } = yield* evidence.find({ query: question, topK: 5 })
        if (relevance.score >= floor) kept++
        const path = `${corpus}.md`
        hits.forEach((count, index) => {
          hits[index] = count + (holdsExcerpt(answer, index + 1, path, excerpts) ? 1 : 0)
        })
        const passages = answer.sources.map(({ chunk, path: of }) => ({
          start: chunk.start,
          end: chunk.end,
          path: of,
          quote: chunk.text
        }))
        found += excerpts.some(({ start_index: from, end_index: to }) =>
          passages.some(
            ({ start, end, path: of }) =>
              of === path && Math.min(end, to) - Math.max(start, from) >= (to - from) / 2
          )
        )
          ? 1
          : 0
        quotedUnits += answer.citations.slice(0, 3).reduce((sum, { quote }) => sum + quote.length, 0)
        for (const { documentId, start, end, quote } of answer.citations) {
          citations++
          if ((yield* documents.text(documentId)).slice(start, end) !== quote) wrong++
        }
      }
      console.log(
        JSON.stringify({
          measure: "quotes",
          mode: values.mode,
          questions: questions.length,
          keptByTheFloor: kept,
          inTheFivePassages: round(found / questions.length),
          inTheFirstQuotes: hits.map((count) => round(count / questions.length)),
          unitsInThreeQuotes: Math.round(quotedUnits / questions.length),
          citations,
          citationsThatDoNotReRead: wrong
        })
      )
    })
  )
})

const answerability = Effect.fnUntraced(function* (file: string, parts: ReadonlyArray<string>) {
  const base = unpacked("omnibioai")
  const text = readFileSync(join(import.meta.dirname, "../tests/evaluation", file), "utf8")
  const cases = yield* parseAnswerabilitySet(text)
  const halves = yield* Schema.decodeEffect(
    Schema.fromJsonString(Schema.Array(Schema.Struct({ half: Schema.String })))
  )(text)
  yield* withSystemOn(
    `sources: [{ use: repositories, options: { base: ${base}, names: [${readdirSync(base).join(", ")}] } }]\n${yaml}`,
    builtInPlugins,
    Effect.gen(function* () {
      yield* Indexer.use((indexer) => indexer.run({}))
      const answering = yield* Answering
      const answers = yield* Effect.forEach(cases, ({ query, answerable }, index) =>
        Effect.map(answering.ask({ question: query, topK: 5 }), ({ abstained }) => ({
          answerable,
          abstained,
          half: halves[index]?.half ?? ""
        }))
      )
      for (const half of parts) {
        const part = answers.filter((answer) => answer.half === half)
        console.log(
          JSON.stringify({
            measure: "answerability",
            mode: values.mode,
            half,
            answerable: part.filter(({ answerable }) => answerable).length,
            kept: part.filter(({ answerable, abstained }) => answerable && !abstained).length,
            unanswerable: part.filter(({ answerable }) => !answerable).length,
            rejected: part.filter(({ answerable, abstained }) => !answerable && abstained).length
          })
        )
      }
      const { best, current } = yield* FloorCalibration.use((calibration) =>
        calibration.calibrate(cases, { topK: 5 })
      )
      console.log(JSON.stringify({ measure: "floor", mode: values.mode, file, best, current }))
    })
  )
})

const measures: Readonly<Record<string, () => typeof quotes>> = {
  quotes: () => quotes,
  development: () => answerability("answerability-development.json", ["tune", "check", "confirmation"]),
  answerability: () => answerability("answerability.json", ["calibration", "held-out"])
}
const asked =
  values.measure ?? (values.answers === undefined ? Object.keys(measures).join(",") : "answerability")
for (const name of asked.split(",")) {
  const measure = measures[name]
  if (measure === undefined)
    throw new Error(`no measure ${name}; there are ${Object.keys(measures).join(", ")}`)
  await Effect.runPromise(measure())
}
