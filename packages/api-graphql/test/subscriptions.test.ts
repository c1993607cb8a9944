import { assert, describe, layer } from "@effect/vitest"
import { AnswerError, InvalidInput, NotFound } from "@omnirag/core/app"
import { Effect, Stream } from "effect"
import { codeOf, collect, openSse, socketClient, sseEvents } from "./client.ts"
import { answer, answering, run, serve } from "./doubles.ts"

const subscription = (question: string) => `subscription {
  ask(question: "${question}") {
    __typename
    ... on Sources { sources { path document { id } } warnings }
    ... on Token { text }
    ... on CitationEvent { citation { passage quote } }
    ... on Done { answer { text evaluation { verdict } } }
    ... on Failed { code message retryable }
  }
}`

const unavailable = new AnswerError({
  generator: "llm",
  message: "http://localhost:11434 does not answer; start Ollama",
  retryable: true,
  cause: new Error("secret")
})

const doubles = {
  answering: {
    stream: ({ question }: { readonly question: string }) => {
      switch (question) {
        case "":
          return Stream.fail(new InvalidInput({ field: "question", message: "the question is empty" }))
        case "broken":
          return Stream.concat(
            Stream.take(answering().stream({ question, topK: 5 }), 2),
            Stream.fail(unavailable)
          )
        case "crash":
          return Stream.die(new Error("secret"))
        default:
          return answering().stream({ question, topK: 5 })
      }
    }
  },
  indexer: {
    progress: (runId: string) =>
      runId === run.id
        ? Stream.make("walk" as const, "embed" as const).pipe(
            Stream.map((stage) => ({
              runId,
              status: run.status,
              stage,
              counts: run.counts,
              filesTotal: 3,
              bytesTotal: 10,
              currentFile: null,
              etaMs: null
            }))
          )
        : Stream.fail(new NotFound({ kind: "run", id: runId }))
  }
}

const events = [
  {
    __typename: "Sources",
    sources: [{ path: "guide/0.md", document: { id: "handbook/guide/0.md" } }],
    warnings: []
  },
  { __typename: "Token", text: answer.text },
  { __typename: "CitationEvent", citation: { passage: 1, quote: "Gross margin rose in fiscal 2024." } },
  { __typename: "Done", answer: { text: answer.text, evaluation: { verdict: "EXCELLENT" } } }
]

const overSocket = (query: string) => Effect.flatMap(socketClient(), (client) => collect(client, query))

const overSse = (query: string) =>
  Effect.gen(function* () {
    const response = yield* openSse(query)
    const received = sseEvents(yield* Effect.promise(() => response.text()))
    assert.deepStrictEqual(received.at(-1), { event: "complete", data: "" })
    return received.slice(0, -1).map(({ data }) => JSON.parse(data))
  })

describe("subscriptions", () => {
  for (const [transport, subscribe] of Object.entries({ WebSocket: overSocket, SSE: overSse })) {
    layer(serve(doubles), { excludeTestServices: true })(`over ${transport}`, (it) => {
      it.effect("ask: sources, then tokens and citations, then Done", () =>
        Effect.gen(function* () {
          const results = yield* subscribe(subscription("q"))
          assert.deepStrictEqual(
            results,
            events.map((ask) => ({ data: { ask } }))
          )
        })
      )

      it.effect("ask: a failure is the last event, before the first event", () =>
        Effect.gen(function* () {
          const results = yield* subscribe(subscription(""))
          const ask = {
            __typename: "Failed",
            code: "BAD_USER_INPUT",
            message: "the question is empty",
            retryable: false
          }
          assert.deepStrictEqual(results, [{ data: { ask } }])
        })
      )

      it.effect("ask: and in the middle", () =>
        Effect.gen(function* () {
          const results = yield* subscribe(subscription("broken"))
          const ask = {
            __typename: "Failed",
            code: "GENERATION_FAILED",
            message: "http://localhost:11434 does not answer; start Ollama",
            retryable: true
          }
          assert.deepStrictEqual(
            results,
            [...events.slice(0, 2), ask].map((event) => ({ data: { ask: event } }))
          )
        })
      )

      it.effect("ask: a defect is masked", () =>
        Effect.gen(function* () {
          const results = yield* subscribe(subscription("crash"))
          assert.strictEqual(results.length, 1)
          assert.include(JSON.stringify(results), "INTERNAL_SERVER_ERROR")
          assert.notInclude(JSON.stringify(results), "secret")
        })
      )

      it.effect("indexProgress", () =>
        Effect.gen(function* () {
          const progress = (id: string) =>
            `subscription { indexProgress(runId: "${id}") { stage counts { files } } }`
          assert.deepStrictEqual(
            yield* subscribe(progress(run.id)),
            ["WALK", "EMBED"].map((stage) => ({ data: { indexProgress: { stage, counts: { files: 3 } } } }))
          )
          const unknown = yield* subscribe(progress("x"))
          assert.strictEqual(codeOf(unknown[0] ?? {}), "NOT_FOUND")
          assert.deepInclude(unknown[0]?.errors?.[0]?.extensions, { kind: "run", id: "x" })
        })
      )
    })
  }

  layer(serve(doubles), { excludeTestServices: true })("over WebSocket", (it) => {
    it.effect("queries and mutations run too, with the same codes and limits", () =>
      Effect.gen(function* () {
        const client = yield* socketClient()
        assert.deepStrictEqual(yield* collect(client, "{ sources { name } }"), [
          { data: { sources: [{ name: "handbook" }] } }
        ])
        const first = (query: string) => Effect.map(collect(client, query), ([result = {}]) => result)
        assert.strictEqual(codeOf(yield* first("{ nothing }")), "GRAPHQL_VALIDATION_FAILED")
        assert.strictEqual(codeOf(yield* first("{")), "GRAPHQL_PARSE_FAILED")
        const aliases = Array.from({ length: 1000 }, (_, n) => `a${n}: plugins { name }`).join(" ")
        const refused = yield* first(`{ ${aliases} }`)
        assert.deepStrictEqual(refused.errors?.[0]?.extensions, { code: "GRAPHQL_LIMIT_EXCEEDED" })
        assert.strictEqual(codeOf(yield* first('mutation { cancelIndex(runId: "x") { id } }')), "NOT_FOUND")
        const noOperation = yield* first("query A { sources { name } } query B { sources { name } }")
        assert.isDefined(noOperation.errors?.[0])
      })
    )
  })
})
