import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { version } from "@omnirag/runtime"
import {
  codeOf,
  collect,
  connect,
  dataOf,
  type GraphQLResult,
  type Json,
  overSocket,
  overSse
} from "@omnirag/testkit/graphqlClient"
import { liveAsk } from "@omnirag/testkit/liveAsk"
import { makeZoo, question, walrus } from "@omnirag/testkit/Zoo"

const { close, config, data, serve } = makeZoo()

let url = ""
let origin = ""
beforeAll(async () => {
  const server = await serve(["--index", "--config", config], { OMNIRAG_DATA: data })
  url = server.url
  origin = server.origin
})
afterAll(close)

/** What every stream of a live answer must be; returns the answer. */
const checkLiveAnswer = (results: ReadonlyArray<GraphQLResult>): Json => {
  const events: ReadonlyArray<Json> = results.map((result) => result.data.ask)
  const names = events.map((event) => event.__typename as string)
  assert.strictEqual(names[0], "Sources")
  assert.deepStrictEqual(
    names.filter((name) => name === "Sources" || name === "Done" || name === "Failed"),
    ["Sources", "Done"]
  )
  const { answer } = events.at(-1)
  assert.strictEqual(events.map((event) => event.text ?? "").join(""), answer.text)
  assert.deepStrictEqual(
    events.flatMap((event) => (event.__typename === "CitationEvent" ? [event.citation] : [])),
    answer.citations
  )
  return answer
}

describe("a served index", () => {
  it("search finds the chunk, with its place in the file", async () => {
    const { search } = await dataOf(
      url,
      `{ search(query: "what do walruses eat", topK: 1) { hits { path repo bundle score chunk { id headingPath startLine endLine start end document { title } } } warnings } }`
    )
    const [hit] = search.hits
    assert.strictEqual(search.hits.length, 1)
    assert.deepStrictEqual(
      { path: hit.path, repo: hit.repo, bundle: hit.bundle },
      { path: "walrus.md", repo: "zoo", bundle: null }
    )
    const { id, start, end, ...place } = hit.chunk
    assert.deepStrictEqual(place, {
      headingPath: ["Walruses", "Food"],
      startLine: 8,
      endLine: 10,
      document: { title: "Walruses" }
    })
    assert.strictEqual(walrus.slice(start, end).trim(), "## Food\n\nWalruses eat 6000 clams in one meal.")

    const { chunk } = await dataOf(url, `query ($id: ID!) { chunk(id: $id) { id start } }`, { id })
    assert.deepStrictEqual(chunk, { id, start })
  })

  it("filters narrow a search", async () => {
    const { search } = await dataOf(
      url,
      `{ search(query: "egg walrus", where: { bundle: { eq: "birds" }, path: { glob: "**/*.md" } }) { hits { path } } }`
    )
    assert.deepStrictEqual(search.hits, [{ path: "birds/penguin.md" }])
  })

  it("ask answers with citations that re-read from the file, and abstains from what is not there", async () => {
    const fields = `text abstained citations { path start end quote startLine }`
    const { ask } = await dataOf(url, `query ($q: String!) { ask(question: $q) { ${fields} } }`, {
      q: question
    })
    assert.isFalse(ask.abstained)
    assert.include(ask.text, "Walruses eat 6000 clams in one meal. [1]")
    const [citation] = ask.citations
    assert.strictEqual(citation.path, "walrus.md")
    assert.strictEqual(citation.startLine, 10)
    assert.strictEqual(walrus.slice(citation.start, citation.end), citation.quote)

    const other = await dataOf(url, `{ ask(question: "Who invented the bicycle?") { ${fields} } }`)
    assert.isTrue(other.ask.abstained)
    assert.deepStrictEqual(other.ask.citations, [])
  })

  it("documents, a document and its chunks", async () => {
    const page = `query ($after: String) { documents(first: 2, after: $after) { totalCount nodes { id } pageInfo { hasNextPage endCursor } } }`
    const first = (await dataOf(url, page)).documents
    assert.deepStrictEqual(
      { ...first, pageInfo: first.pageInfo.hasNextPage },
      {
        totalCount: 3,
        nodes: [{ id: "zoo/birds/albatross.txt" }, { id: "zoo/birds/penguin.md" }],
        pageInfo: true
      }
    )
    const second = (await dataOf(url, page, { after: first.pageInfo.endCursor })).documents
    assert.deepStrictEqual(second.nodes, [{ id: "zoo/walrus.md" }])

    const { document } = await dataOf(
      url,
      `{ document(id: "zoo/walrus.md") { text mediaType metadata chunkCount chunks { index headingPath } } }`
    )
    assert.deepStrictEqual(document, {
      text: walrus,
      mediaType: "text/markdown",
      metadata: { lang: "en" },
      chunkCount: 2,
      chunks: [
        { index: 0, headingPath: ["Walruses"] },
        { index: 1, headingPath: ["Walruses", "Food"] }
      ]
    })
  })

  it("sources, previewChunks, status and plugins", async () => {
    const { sources, previewChunks, status, plugins } = await dataOf(
      url,
      `{
        sources { name documents }
        previewChunks(text: "# A\\n\\nOne two three four.") { text startLine endLine }
        status { version ready generations { live embedder vectors counts { documents chunks outbox } } }
        plugins { kind name active }
      }`
    )
    assert.deepStrictEqual(sources, [{ name: "zoo", documents: 3 }])
    assert.deepStrictEqual(previewChunks, [{ text: "# A\n\nOne two three four.", startLine: 1, endLine: 3 }])
    assert.strictEqual(status.version, version)
    assert.isTrue(status.ready)
    assert.deepStrictEqual(status.generations, [
      { live: true, embedder: "lsa", vectors: 4, counts: { documents: 3, chunks: 4, outbox: 0 } }
    ])
    const active = plugins.filter((plugin: Json) => plugin.active).map((plugin: Json) => plugin.name)
    assert.deepStrictEqual(active, [
      "folder",
      "markdown",
      "text",
      "markdown",
      "lsa",
      "faiss",
      "sqlite",
      "extractive"
    ])
  })

  it("a run can be started and followed to its end, and is remembered", async () => {
    const { startIndex } = await dataOf(url, `mutation { startIndex(full: true) { id status } }`)
    const { client } = connect(url)
    const results = await collect(
      overSocket(
        client,
        `subscription ($id: ID!) { indexProgress(runId: $id) { status filesTotal counts { changed } } }`,
        {
          id: startIndex.id
        }
      )
    )
    await client.dispose()
    assert.deepStrictEqual(results.at(-1)?.data.indexProgress, {
      status: "SUCCEEDED",
      filesTotal: 3,
      counts: { changed: 3 }
    })
    const { indexRuns } = await dataOf(url, `{ indexRuns(first: 1) { id status failures { message } } }`)
    assert.deepStrictEqual(indexRuns, [{ id: startIndex.id, status: "SUCCEEDED", failures: [] }])
  })

  it("a run that cannot be made ends as failed, with the reason", async () => {
    const { startIndex } = await dataOf(url, `mutation { startIndex(sources: ["nowhere"]) { id } }`)
    const follow = `subscription ($id: ID!) { indexProgress(runId: $id) { status } }`
    const results = await collect(overSse(url, follow, { id: startIndex.id }))
    assert.deepStrictEqual(results.at(-1)?.data, { indexProgress: { status: "FAILED" } })
    const { indexRuns } = await dataOf(url, `{ indexRuns(first: 1) { id failures { code message } } }`)
    assert.deepStrictEqual(indexRuns, [
      {
        id: startIndex.id,
        failures: [{ code: "BAD_USER_INPUT", message: "no source is called nowhere; known: zoo" }]
      }
    ])
  })

  it("a document can be given, found, replaced and removed", async () => {
    const upsert = `mutation ($text: String!) { upsertDocument(input: { source: "notes", path: "today.md", text: $text }) { id chunkCount } }`
    const find = `{ search(query: "aardvark", mode: LEXICAL) { hits { path chunk { text } } } }`
    const { upsertDocument } = await dataOf(url, upsert, { text: "# Today\n\nThe aardvark sleeps.\n" })
    assert.deepStrictEqual(upsertDocument, { id: "notes/today.md", chunkCount: 1 })
    assert.deepStrictEqual((await dataOf(url, find)).search.hits, [
      { path: "today.md", chunk: { text: "# Today\n\nThe aardvark sleeps." } }
    ])
    await dataOf(url, upsert, { text: "# Today\n\nThe anteater sleeps.\n" })
    assert.deepStrictEqual((await dataOf(url, find)).search.hits, [])
    const remove = `mutation { deleteDocuments(ids: ["notes/today.md", "notes/never.md"]) }`
    assert.deepStrictEqual(await dataOf(url, remove), { deleteDocuments: 1 })
    assert.deepStrictEqual(await dataOf(url, `{ document(id: "notes/today.md") { id } }`), { document: null })
  })

  it("a live answer over SSE: Sources first, tokens that make the text, citations, one Done", async () => {
    const answer = checkLiveAnswer(await collect(overSse(url, liveAsk, { question })))
    assert.include(answer.text, "Walruses eat 6000 clams in one meal. [1]")
    assert.deepStrictEqual(answer.citations[0], {
      passage: 1,
      path: "walrus.md",
      quote: "Walruses eat 6000 clams in one meal."
    })
  })

  it("a live answer over WebSocket is the same", async () => {
    const { client } = connect(url)
    const overWebSocket = await collect(overSocket(client, liveAsk, { question }))
    await client.dispose()
    checkLiveAnswer(overWebSocket)
    assert.deepStrictEqual(overWebSocket, await collect(overSse(url, liveAsk, { question })))
  })

  it("a live answer that cannot be given is one Failed with the code", async () => {
    const results = await collect(overSse(url, liveAsk, { question: " " }))
    assert.deepStrictEqual(
      results.map(({ data }) => [data.ask.__typename, data.ask.code]),
      [["Failed", "BAD_USER_INPUT"]]
    )
  })

  it("errors have stable codes", async () => {
    const codes = await Promise.all([
      codeOf(url, `{ search(query: " ") { warnings } }`),
      codeOf(url, `{ search(query: "x", topK: 0) { warnings } }`),
      codeOf(url, `{ search(query: "x", topK: 1000000000) { warnings } }`),
      codeOf(url, `query ($q: String!) { search(query: $q) { warnings } }`, { q: "x".repeat(100_000) }),
      codeOf(url, `{ search(query: "x", where: { nowhere: { eq: "y" } }) { warnings } }`),
      codeOf(url, `mutation { cancelIndex(runId: "none") { id } }`),
      codeOf(url, `mutation { upsertDocument(input: { source: "zoo", path: "a.md", text: "b" }) { id } }`),
      codeOf(url, `{ search(`)
    ])
    assert.deepStrictEqual(codes, [
      "BAD_USER_INPUT",
      "BAD_USER_INPUT",
      "BAD_USER_INPUT",
      "BAD_USER_INPUT",
      "GRAPHQL_VALIDATION_FAILED",
      "NOT_FOUND",
      "BAD_USER_INPUT",
      "GRAPHQL_PARSE_FAILED"
    ])
  })

  it("/health, /ready and /metrics", async () => {
    const health = await fetch(`${origin}/health`)
    assert.deepStrictEqual([health.status, await health.json()], [200, { status: "ok" }])
    const ready = await fetch(`${origin}/ready`)
    assert.strictEqual(ready.status, 200)
    assert.deepInclude((await ready.json()) as Json, { status: "ready" })
    const metrics = await fetch(`${origin}/metrics`)
    assert.include(await metrics.text(), 'omnirag_graphql_active{kind="stream"} 0')
  })
})
