/**
 * Measures what the language model `ollama` adds to a stream of tokens: the time to the first token and the time per
 * token beside a bare node:http client that parses the same lines, both against the double of an Ollama server in this
 * process; then 200 answers at once (memory, how evenly they advance, what is left after all were cancelled). Medians
 * of alternating rounds. Prints one line of JSON.
 *
 *     node bench/ollamaStreaming.ts [tokens] [rounds]
 */
import { HealthChecks } from "@omnirag/core/app"
import { languageModels } from "@omnirag/plugins-models"
import { Effect, Fiber, Layer, Queue, Stream } from "effect"
import { LanguageModel } from "effect/ai"
import { request } from "node:http"
import { chatEnd, chatLine, makeOllamaDouble, type OllamaDouble } from "@omnirag/testkit/OllamaDouble"

const tokens = Number(process.argv[2] ?? 1_000)
const rounds = Number(process.argv[3] ?? 31)
const warmUps = 20
const streams = 200

interface Timing {
  readonly first: number
  readonly whole: number
}

/** Milliseconds to the first token and to the end, without anything of this project. */
const bare = (url: string) =>
  Effect.callback<Timing>((resume) => {
    const began = performance.now()
    let first: number | undefined
    let open = ""
    request(`${url}/api/chat`, { method: "POST", agent: false }, (response) => {
      response.setEncoding("utf8")
      response.on("data", (piece: string) => {
        const lines = (open + piece).split("\n")
        open = lines.pop() ?? ""
        for (const line of lines) JSON.parse(line)
        first ??= performance.now() - began
      })
      response.on("end", () =>
        resume(Effect.succeed({ first: first ?? 0, whole: performance.now() - began }))
      )
    }).end("{}")
  })

const ours = Effect.gen(function* () {
  const began = performance.now()
  let first: number | undefined
  yield* LanguageModel.streamText({ prompt: "?" }).pipe(
    Stream.runForEach((part) =>
      Effect.sync(() => {
        if (part.type === "text-delta") first ??= performance.now() - began
      })
    )
  )
  return { first: first ?? 0, whole: performance.now() - began }
})

const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const rounded = (value: number) => Math.round(value * 1000) / 1000
const medians = (timings: ReadonlyArray<Timing>) => ({
  firstMs: rounded(median(timings.map(({ first }) => first))),
  wholeMs: rounded(median(timings.map(({ whole }) => whole)))
})

/** Answers with the tokens one by one, as fast as they are taken. */
const answerTokens = (double: OllamaDouble, count: number) =>
  double.on("/api/chat", (_, response) => {
    response.writeHead(200)
    const next = (left: number) => {
      if (response.destroyed) return
      if (left === 0) response.end(chatEnd())
      else response.write(chatLine("token"), () => setImmediate(next, left - 1))
    }
    next(count)
  })

/** Alternating rounds of both clients on answers of `count` tokens. */
const compare = Effect.fnUntraced(function* (double: OllamaDouble, count: number) {
  answerTokens(double, count)
  const bares: Array<Timing> = []
  const models: Array<Timing> = []
  for (let round = -warmUps; round < rounds; round++) {
    const pair = [yield* bare(double.url), yield* ours] as const
    if (round < 0) continue
    bares.push(pair[0])
    models.push(pair[1])
  }
  return { bare: medians(bares), model: medians(models) }
})

const overhead = Effect.fnUntraced(function* (double: OllamaDouble) {
  // one token for the first: with more, the double writes on in this process while the client reads
  const one = yield* compare(double, 1)
  const many = yield* compare(double, tokens)
  return {
    bareFirstMs: one.bare.firstMs,
    modelFirstMs: one.model.firstMs,
    addedToFirstMs: rounded(one.model.firstMs - one.bare.firstMs),
    tokens,
    bareWholeMs: many.bare.wholeMs,
    modelWholeMs: many.model.wholeMs,
    addedPerTokenMs: rounded((many.model.wholeMs - many.bare.wholeMs) / tokens)
  }
})

const crowd = Effect.fnUntraced(function* (double: OllamaDouble) {
  answerTokens(double, 1_000_000)
  const before = process.memoryUsage.rss()
  const counts = Array.from<number>({ length: streams }).fill(0)
  const seen = yield* Queue.unbounded<number>()
  const fibers = yield* Effect.forEach(counts, (_, index) =>
    LanguageModel.streamText({ prompt: "?" }).pipe(
      Stream.runForEach((part) => (part.type === "text-delta" ? Queue.offer(seen, index) : Effect.void)),
      Effect.forkChild
    )
  )
  const take = Effect.map(Queue.take(seen), (index) => {
    counts[index] = (counts[index] ?? 0) + 1
  })
  // counted from the moment when every stream has begun
  while (counts.includes(0)) yield* take
  counts.fill(0)
  for (let taken = 0; taken < streams * 100; taken++) yield* take
  const memory = process.memoryUsage.rss() - before
  const began = performance.now()
  yield* Fiber.interruptAll(fibers)
  yield* Effect.forEach(fibers, () => Queue.take(double.abandoned))
  return {
    streams,
    tokensTaken: streams * 100,
    fewestOfOne: Math.min(...counts),
    mostOfOne: Math.max(...counts),
    addedMegabytes: Math.round(memory / 1_048_576),
    allCancelledMs: rounded(performance.now() - began),
    leftUnderWay: double.underWay()
  }
})

const main = Effect.gen(function* () {
  const double = yield* makeOllamaDouble
  const model = languageModels[0]
    .build({ url: double.url, model: "m", concurrency: streams })
    .pipe(Layer.provide(HealthChecks.layer))
  return yield* Effect.gen(function* () {
    return { ...(yield* overhead(double)), crowd: yield* crowd(double) }
  }).pipe(Effect.provide(model))
})

console.log(JSON.stringify(await Effect.runPromise(Effect.scoped(main))))
