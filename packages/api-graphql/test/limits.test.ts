import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { getIntrospectionQuery } from "graphql"
import { connect } from "node:net"
import { baseUrl, codeOf, type GraphQLResponse, post, postBody } from "./client.ts"
import { serve } from "./doubles.ts"

const limit = "GRAPHQL_LIMIT_EXCEEDED"
const repeat = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => part(n)).join(" ")
const nest = (depth: number, open: string, inner: string, close: string) =>
  `${open.repeat(depth)}${inner}${close.repeat(depth)}`

/** Documents beyond a limit, by what they have too much of. */
const excessive: Record<string, string> = {
  depth: `{ document(id: "a") { ${nest(25, "chunks { document { ", "id", " } }")} } }`,
  "depth through fragments": `{ document(id: "a") { ...A } }
    fragment A on Document { ${nest(3, "chunks { document { ", "...B", " } }")} }
    fragment B on Document { ${nest(3, "chunks { document { ", "id", " } }")} }`,
  aliases: `{ ${repeat(1000, (n) => `a${n}: __typename`)} }`,
  directives: `{ plugins { name ${"@include(if: true) ".repeat(10_000)} } }`,
  "directives, few tokens": `{ plugins { name ${"@a ".repeat(50)} } }`,
  selections: `{ plugins { ${"name ".repeat(600)} } }`,
  tokens: `{ plugins { ${"name ".repeat(3000)} } }`,
  complexity: `{ documents(first: 1000) { nodes { chunks(first: 1000) { id text } } } }`,
  "complexity through variables": `query ($n: Int = 1000) { documents(first: $n) { nodes { chunks(first: $n) { id } } } }`,
  "complexity through fragments": `{ documents(first: 1000) { ...A } }
    fragment A on DocumentConnection { nodes { ...B } }
    fragment B on Document { chunks(first: 1000) { id text } }`,
  "introspection depth": `{ __schema { types { ${nest(20, "ofType { ", "name", " }")} } } }`
}

describe("limits", () => {
  layer(serve(), { excludeTestServices: true })((it) => {
    for (const [name, query] of Object.entries(excessive)) {
      it.effect(name, () =>
        Effect.gen(function* () {
          const response = yield* post(query)
          assert.strictEqual(codeOf(response), limit, JSON.stringify(response).slice(0, 300))
          assert.notProperty(response, "data")
        })
      )
    }

    it.effect("introspection in full passes, and so does the largest page of everything", () =>
      Effect.gen(function* () {
        assert.notProperty(yield* post(getIntrospectionQuery()), "errors")
        const page = yield* post(
          "{ documents(first: 1000) { totalCount nodes { id source path bundle mediaType title contentHash metadata revision length indexedAt chunkCount } } }"
        )
        assert.notProperty(page, "errors")
        const hits = yield* post(
          '{ search(query: "q", topK: 100) { hits { score scores { vector lexical fused rerank } alsoIn { chunkId path } document { id title } chunk { id text start end headingPath } } } }'
        )
        assert.notProperty(hits, "errors")
      })
    )

    it.effect("cyclic fragments are refused", () =>
      Effect.gen(function* () {
        const response = yield* post(
          "{ sources { ...A } } fragment A on Source { name ...B } fragment B on Source { ...A }"
        )
        assert.strictEqual(codeOf(response), "GRAPHQL_VALIDATION_FAILED")
      })
    )

    it.effect("a count out of bounds", () =>
      Effect.gen(function* () {
        assert.strictEqual(
          codeOf(yield* post("{ indexRuns(first: 1e9) { id } }")),
          "GRAPHQL_VALIDATION_FAILED"
        )
        const runs = yield* post("{ indexRuns(first: 1000000000) { id } }")
        assert.deepStrictEqual(runs.errors?.[0]?.extensions, { code: "BAD_USER_INPUT", field: "first" })
        assert.strictEqual(codeOf(yield* post("{ indexRuns(first: 0) { id } }")), "BAD_USER_INPUT")
        const ids = Array.from({ length: 1001 }, (_, n) => `c${n}`)
        const evaluation =
          'query ($ids: [ID!]!) { evaluateAnswer(question: "q", answer: "a", chunkIds: $ids) { overall } }'
        assert.strictEqual(codeOf(yield* post(evaluation, { ids })), "BAD_USER_INPUT")
        const deletion = "mutation ($ids: [ID!]!) { deleteDocuments(ids: $ids) }"
        assert.strictEqual(codeOf(yield* post(deletion, { ids })), "BAD_USER_INPUT")
      })
    )

    it.effect("variables that nest without end", () =>
      Effect.gen(function* () {
        const where = nest(50_000, '{"_not":', "{}", "}")
        const { body } = yield* postBody(
          `{"query":"query ($where: ChunkFilter) { search(query: \\"q\\", where: $where) { mode } }","variables":{"where":${where}}}`
        )
        assert.strictEqual(codeOf(body), limit)
      })
    )

    it.effect("batches", () =>
      Effect.gen(function* () {
        const batch = (size: number) =>
          Array.from({ length: size }, () => ({ query: "{ sources { name } }" }))
        const ten = yield* postBody<ReadonlyArray<GraphQLResponse>>(batch(10))
        assert.strictEqual(ten.body.length, 10)
        for (const size of [11, 1000]) {
          const { status, body } = yield* postBody(batch(size))
          assert.strictEqual(status, 400)
          assert.strictEqual(codeOf(body), limit)
        }
      })
    )

    it.effect("a large body, whether its length is announced or not", () =>
      Effect.gen(function* () {
        const announced = yield* postBody({ query: `{ sources { name } } #${"x".repeat(2 << 20)}` })
        assert.strictEqual(announced.status, 413)
        assert.strictEqual(codeOf(announced.body), limit)
        const url = new URL(yield* baseUrl)
        const head = yield* Effect.callback<string>((resume) => {
          const socket = connect(Number(url.port), url.hostname)
          socket.write(
            `POST /graphql HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\naccept: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
          )
          socket.write(`${(2 << 20).toString(16)}\r\n`)
          socket.write("x".repeat(2 << 20))
          socket.write("\r\n0\r\n\r\n")
          let text = ""
          socket.on("data", (data) => {
            text += String(data)
            if (text.includes("}]}")) resume(Effect.succeed(text))
          })
          socket.on("close", () => resume(Effect.succeed(text)))
          socket.on("error", () => {
            // the server may close while we still send; "close" follows
          })
          return Effect.sync(() => socket.destroy())
        })
        assert.match(head, /^HTTP\/1\.1 413 /)
        assert.include(head, limit)
      })
    )
  })
})

describe("introspection", () => {
  layer(serve({}, { introspection: false }), { excludeTestServices: true })("switched off", (it) => {
    it.effect("is refused with a code, and messages suggest nothing", () =>
      Effect.gen(function* () {
        assert.strictEqual(codeOf(yield* post("{ __schema { types { name } } }")), "INTROSPECTION_DISABLED")
        assert.strictEqual(codeOf(yield* post('{ __type(name: "Hit") { name } }')), "INTROSPECTION_DISABLED")
        assert.notProperty(yield* post("{ __typename sources { name } }"), "errors")
        const typo = yield* post("{ sourcess { name } }")
        assert.notInclude(typo.errors?.[0]?.message ?? "", 'sources"')
      })
    )
  })
})
