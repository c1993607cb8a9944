/**
 * What the GraphQL API adds: `search` over HTTP beside the use case alone, in the same process over the omnibioai corpus
 * in the same run, at 1 and 20 connections; and the time from the subscription `ask` to its first event over SSE and
 * WebSocket. The clients are processes of their own. One JSON line each; times in milliseconds.
 *
 *   node bench/graphql.ts [--requests 400]
 */
import { Indexer, parseBenchmarkSet, Retriever } from "@omnirag/core/app"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { execFile } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseArgs, promisify } from "node:util"
import { httpLayer } from "@omnirag/server/http"
import { builtInPlugins, parseConfig } from "@omnirag/runtime"
import { dataFolder, requireData, unpacked } from "./support/data.ts"
import type { LoadTask } from "./support/graphqlLoad.ts"
import { quantiles } from "./support/quantiles.ts"
import { withSystemOn } from "@omnirag/testkit/withSystem"

requireData()
const { values } = parseArgs({ options: { requests: { type: "string", default: "400" } } })
const requests = Number(values.requests)
const base = unpacked("omnibioai")
const yaml = `sources: [{ use: repositories, options: { base: ${base}, names: [${readdirSync(base).join(", ")}] } }]`

const load = Effect.fnUntraced(function* (task: LoadTask) {
  const script = join(import.meta.dirname, "support/graphqlLoad.ts")
  const { stdout } = yield* Effect.promise(() =>
    promisify(execFile)(process.execPath, [script, JSON.stringify(task)], { maxBuffer: 1 << 26 })
  )
  return JSON.parse(stdout) as { readonly times: ReadonlyArray<number>; readonly seconds: number }
})

const useCaseAlone = Effect.fnUntraced(function* (questions: ReadonlyArray<string>, concurrency: number) {
  const retriever = yield* Retriever
  const started = performance.now()
  const times = yield* Effect.forEach(
    Array.from({ length: requests }, (_, index) => questions[index % questions.length] ?? ""),
    Effect.fnUntraced(function* (query) {
      const begun = performance.now()
      yield* retriever.search({ query, topK: 5 })
      return performance.now() - begun
    }),
    { concurrency }
  )
  return { times, seconds: (performance.now() - started) / 1000 }
})

const perSecond = ({ seconds }: { readonly seconds: number }): number => Math.round(requests / seconds)

const measure = Effect.gen(function* () {
  yield* Indexer.use((indexer) => indexer.run({}))
  const cases = yield* parseBenchmarkSet(
    readFileSync(join(dataFolder, "eval-omnibioai-questions.json"), "utf8")
  )
  const questions = cases.map(({ query }) => query)
  const { address } = yield* HttpServer.HttpServer
  const task = { url: `${HttpServer.formatAddress(address)}/graphql`, questions, requests }
  yield* useCaseAlone(questions, 1)
  yield* load({ ...task, kind: "search", connections: 1 })

  for (const connections of [1, 20]) {
    const alone = yield* useCaseAlone(questions, connections)
    const served = yield* load({ ...task, kind: "search", connections })
    const [useCase, graphql] = [quantiles(alone.times), quantiles(served.times)]
    console.log(
      JSON.stringify({
        measured: "search",
        connections,
        requests,
        useCase: { ...useCase, perSecond: perSecond(alone) },
        graphql: { ...graphql, perSecond: perSecond(served) },
        ratioP50: Number((graphql.p50 / useCase.p50).toFixed(2))
      })
    )
  }
  for (const kind of ["sse", "webSocket"] as const) {
    const { times } = yield* load({ ...task, kind, connections: 1 })
    console.log(JSON.stringify({ measured: "ask, first event", over: kind, requests, ...quantiles(times) }))
  }
})

await Effect.runPromise(
  Effect.gen(function* () {
    const { server } = yield* parseConfig("bench.yaml", `server: { port: 0 }\n${yaml}`, {})
    yield* withSystemOn(yaml, builtInPlugins, Effect.provide(measure, httpLayer(server)))
  })
)
