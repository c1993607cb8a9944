import { assert, describe, layer } from "@effect/vitest"
import { InvalidInput, VectorStoreError } from "@omnirag/core/app"
import { Effect } from "effect"
import { codeOf, post, postBody } from "./client.ts"
import { answer, chunk, document, serve } from "./doubles.ts"

const batches: Array<ReadonlyArray<string>> = []

const doubles = {
  documents: {
    getMany: (ids: ReadonlyArray<string>) =>
      Effect.sync(() => {
        batches.push(ids)
        return ids.filter((id) => !id.startsWith("gone")).map(document)
      }),
    text: () =>
      Effect.fail(
        new VectorStoreError({
          store: "faiss",
          reason: "unavailable",
          message: "cannot read /srv/omnirag/data/vectors.bin",
          cause: new Error("secret cause")
        })
      )
  },
  answering: {
    ask: ({ question }: { readonly question: string }) =>
      question === ""
        ? Effect.fail(new InvalidInput({ field: "question", message: "the question is empty" }))
        : question === "crash"
          ? Effect.die(new Error("secret: /home/someone/.ssh/id_rsa"))
          : Effect.succeed({ ...answer, question })
  }
}

describe("queries and mutations", () => {
  layer(serve(doubles), { excludeTestServices: true })("over HTTP", (it) => {
    it.effect("search", () =>
      Effect.gen(function* () {
        const { data, errors } = yield* post(
          'query ($mode: SearchMode) { search(query: "margin", topK: 2, mode: $mode) { mode warnings hits { repo path score scores { vector lexical } chunk { id start end headingPath page } metadata } } }',
          { mode: "LEXICAL" }
        )
        assert.isUndefined(errors)
        assert.deepStrictEqual(data?.["search"], {
          mode: "LEXICAL",
          warnings: [],
          hits: [0, 1].map((n) => ({
            repo: "handbook",
            path: `guide/${n}.md`,
            score: 1 / (n + 1),
            scores: { vector: 0.5, lexical: null },
            chunk: { id: `c${n}`, start: 9, end: 42, headingPath: ["Guide"], page: null },
            metadata: { lang: "en" }
          }))
        })
      })
    )

    it.effect("reads the documents of all hits and citations of a request in one call", () =>
      Effect.gen(function* () {
        batches.length = 0
        const { errors } = yield* post(
          '{ search(query: "q", topK: 50) { hits { document { title } chunk { document { id } } } } ask(question: "q") { citations { document { id } } } }'
        )
        assert.isUndefined(errors)
        assert.deepStrictEqual(batches, [
          ["handbook/guide/0.md", "handbook/guide/1.md", "handbook/guide/2.md"]
        ])
      })
    )

    it.effect("a body that is no GraphQL request is BAD_REQUEST, and what the parser threw stays here", () =>
      Effect.gen(function* () {
        for (const [sent, message] of [
          ["nonsense", "POST body sent invalid JSON."],
          ['"text"', "POST body is expected to be object but received string"]
        ]) {
          const { body } = yield* postBody(sent)
          assert.deepStrictEqual(body.errors, [
            { message: message ?? "", extensions: { code: "BAD_REQUEST" } }
          ])
        }
      })
    )

    it.effect("ask", () =>
      Effect.gen(function* () {
        const { data } = yield* post(
          '{ ask(question: "Did it?") { question text abstained usage { input } citations { passage quote start end } evaluation { overall verdict } } }'
        )
        assert.deepStrictEqual(data?.["ask"], {
          question: "Did it?",
          text: answer.text,
          abstained: false,
          usage: null,
          citations: [{ passage: 1, quote: "Gross margin rose in fiscal 2024.", start: 9, end: 42 }],
          evaluation: { overall: 0.8, verdict: "EXCELLENT" }
        })
      })
    )

    it.effect("documents, chunks and sources", () =>
      Effect.gen(function* () {
        const { data, errors } = yield* post(`{
          documents(first: 2, after: "x") { totalCount nodes { id metadata indexedAt } edges { node { id } } pageInfo { hasNextPage endCursor } }
          document(id: "handbook/a.md") { title chunkCount chunks(first: 1, skip: 1) { id } }
          gone: document(id: "gone") { id }
          chunk(id: "nowhere") { id }
          sources { name revision }
          previewChunks(text: "hello") { text document { id } }
        }`)
        assert.isUndefined(errors)
        assert.deepStrictEqual(data, {
          documents: {
            totalCount: 5,
            nodes: ["x0", "x1"].map((name) => ({
              id: `handbook/${name}.md`,
              metadata: { lang: "en", tags: ["a", "b"], year: 2024 },
              indexedAt: "2026-11-30T17:00:00.000Z"
            })),
            edges: [{ node: { id: "handbook/x0.md" } }, { node: { id: "handbook/x1.md" } }],
            pageInfo: { hasNextPage: true, endCursor: "cursor" }
          },
          document: { title: "Title of handbook/a.md", chunkCount: 1, chunks: [{ id: "c2" }] },
          gone: null,
          chunk: null,
          sources: [{ name: "handbook", revision: "abc" }],
          previewChunks: [{ text: "hello", document: null }]
        })
      })
    )

    it.effect("evaluateAnswer looks at the chunks, and refuses ids that name none", () =>
      Effect.gen(function* () {
        const query =
          'query ($ids: [ID!]!) { evaluateAnswer(question: "What was the EBITDA margin in fiscal 2024?", answer: "EBITDA", chunkIds: $ids) { coverage missingTerms verdict chunksUsed } }'
        assert.deepStrictEqual((yield* post(query, { ids: ["c1"] })).data?.["evaluateAnswer"], {
          coverage: 0.75,
          missingTerms: ["ebitda"],
          verdict: "EXCELLENT",
          chunksUsed: 1
        })
        const missing = yield* post(query, { ids: ["c1", "nowhere"] })
        assert.deepInclude(missing.errors?.[0]?.extensions, {
          code: "NOT_FOUND",
          kind: "chunk",
          id: "nowhere"
        })
      })
    )

    it.effect("runs, status and plugins", () =>
      Effect.gen(function* () {
        const { data, errors } = yield* post(`{
          indexRuns(first: 1) { id status startedAt endedAt counts { files bytes } failures { stage code message } }
          status { version uptimeMs ready }
          plugins { kind name active }
        }`)
        assert.isUndefined(errors)
        assert.deepStrictEqual(data, {
          indexRuns: [
            {
              id: "run-1",
              status: "RUNNING",
              startedAt: "2026-11-30T17:00:00.000Z",
              endedAt: null,
              counts: { files: 3, bytes: 0 },
              failures: [{ stage: "LOAD", code: "DOCUMENT_REFUSED", message: "…/x.md: broken" }]
            }
          ],
          status: { version: "1.2.3", uptimeMs: 5_000_000_000, ready: true },
          plugins: [{ kind: "EMBEDDER", name: "lsa", active: true }]
        })
      })
    )

    it.effect("mutations", () =>
      Effect.gen(function* () {
        const { data, errors } = yield* post(
          'mutation ($input: DocumentInput!) { startIndex(sources: ["handbook"]) { id } upsertDocument(input: $input) { id } deleteDocuments(ids: ["a", "b"]) }',
          { input: { source: "notes", path: "a.md", text: "# A", metadata: { tags: ["x"], year: 2024 } } }
        )
        assert.isUndefined(errors)
        assert.deepStrictEqual(data, {
          startIndex: { id: "run-1" },
          upsertDocument: { id: "notes/a.md" },
          deleteDocuments: 2
        })
        const badMetadata = yield* post(
          "mutation ($input: DocumentInput!) { upsertDocument(input: $input) { id } }",
          { input: { source: "notes", path: "a.md", text: "", metadata: { nested: { deep: 1 } } } }
        )
        assert.deepInclude(badMetadata.errors?.[0]?.extensions, {
          code: "BAD_USER_INPUT",
          field: "input.metadata"
        })
        const unknownRun = yield* post('mutation { cancelIndex(runId: "x") { id } }')
        assert.strictEqual(codeOf(unknownRun), "NOT_FOUND")
      })
    )

    it.effect("typed errors carry their code and public fields, no cause and no path of the server", () =>
      Effect.gen(function* () {
        const invalid = yield* post('{ ask(question: "") { text } }')
        assert.deepStrictEqual(invalid.errors?.[0]?.extensions, { code: "BAD_USER_INPUT", field: "question" })
        assert.deepStrictEqual(invalid.errors?.[0]?.path, ["ask"])
        const store = yield* post('{ document(id: "handbook/a.md") { text } }')
        assert.deepStrictEqual(store.errors?.[0]?.extensions, {
          code: "VECTOR_STORE_FAILED",
          store: "faiss",
          reason: "unavailable"
        })
        assert.strictEqual(store.errors?.[0]?.message, "cannot read …/vectors.bin")
        assert.notInclude(JSON.stringify(store), "secret")
      })
    )

    it.effect("defects are masked", () =>
      Effect.gen(function* () {
        const response = yield* post('{ ask(question: "crash") { text } }')
        assert.deepStrictEqual(response.errors?.[0]?.extensions, { code: "INTERNAL_SERVER_ERROR" })
        assert.notInclude(JSON.stringify(response), "secret")
        assert.notInclude(JSON.stringify(response), "id_rsa")
      })
    )

    it.effect("every kind of bad request has a code", () =>
      Effect.gen(function* () {
        assert.strictEqual(codeOf(yield* post("{ search(")), "GRAPHQL_PARSE_FAILED")
        assert.strictEqual(codeOf(yield* post("{ nothing }")), "GRAPHQL_VALIDATION_FAILED")
        assert.strictEqual(
          codeOf(yield* post('query ($k: Int) { search(query: "q", topK: $k) { mode } }', { k: "many" })),
          "BAD_USER_INPUT"
        )
        assert.strictEqual(
          codeOf(yield* post("query A { sources { name } } query B { sources { name } }")),
          "OPERATION_RESOLUTION_FAILURE"
        )
      })
    )
    void chunk
  })
})
