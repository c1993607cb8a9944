import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { version } from "../apps/server/src/version.ts"
import { OmniragProcess } from "./support/OmniragProcess.ts"
import { ServerProcess } from "./support/ServerProcess.ts"
import {
  codeOf,
  collect,
  connect,
  dataOf,
  type GraphQLResult,
  type Json,
  overSocket,
  overSse
} from "./support/graphqlClient.ts"

const folder = mkdtempSync(join(tmpdir(), "omnirag-server-"))
const corpus = join(folder, "corpus")
const walrus =
  "---\nlang: en\n---\n# Walruses\n\nA walrus sleeps on the ice.\n\n## Food\n\nWalruses eat 6000 clams in one meal.\n"
mkdirSync(join(corpus, "birds"), { recursive: true })
writeFileSync(join(corpus, "walrus.md"), walrus)
writeFileSync(
  join(corpus, "birds/penguin.md"),
  "# Penguins\n\nA penguin lays one egg and keeps it warm on its feet.\n"
)
writeFileSync(
  join(corpus, "birds/albatross.txt"),
  "An albatross glides for hours without a beat of its wings.\n"
)

const config = join(folder, "zoo.yaml")
writeFileSync(
  config,
  `data: \${OMNIRAG_DATA:-${join(folder, "unused")}}
server: { host: "\${OMNIRAG_HOST:-127.0.0.1}", port: "\${OMNIRAG_PORT:-8082}" }
sources: [{ use: folder, options: { name: zoo, path: ${corpus} } }]
`
)
const data = join(folder, "data")

const started: Array<ServerProcess> = []
const serve = async (
  args: ReadonlyArray<string>,
  environment: NodeJS.ProcessEnv = {}
): Promise<ServerProcess> => {
  const server = await ServerProcess.start(args, environment)
  started.push(server)
  return server
}

let url = ""
let origin = ""
beforeAll(async () => {
  const server = await serve(["--index", "--config", config], { OMNIRAG_DATA: data })
  url = server.url
  origin = server.origin
})
afterAll(async () => {
  await Promise.all(started.map((server) => server.stop("SIGKILL")))
  rmSync(folder, { recursive: true })
})

const question = "How many clams do walruses eat?"
const liveAsk = `subscription ($question: String!) {
  ask(question: $question) {
    __typename
    ... on Sources { sources { path } }
    ... on Token { text }
    ... on CitationEvent { citation { passage path quote } }
    ... on Done { answer { text citations { passage path quote } } }
    ... on Failed { code message }
  }
}`

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

describe("a second server on the same index", () => {
  it("reads beside the first, and listens where its environment says", async () => {
    const reader = await serve(["--config", config], { OMNIRAG_DATA: data, OMNIRAG_HOST: "localhost" })
    assert.notStrictEqual(reader.url, url)
    const query = `{ search(query: "penguin egg", topK: 1) { hits { path } } }`
    assert.deepStrictEqual(await dataOf(reader.url, query), await dataOf(url, query))
    assert.deepStrictEqual(await reader.stop("SIGINT"), { code: 0, signal: null })
  })

  it("on a port that is taken it ends with one error that says what to do", async () => {
    const { port } = new URL(url)
    const late = new OmniragProcess(["serve", "--config", config], { OMNIRAG_DATA: data, OMNIRAG_PORT: port })
    assert.deepStrictEqual(await late.ended, { code: 1, signal: null })
    assert.strictEqual(
      late.stderr,
      `error PORT_IN_USE: 127.0.0.1:${port} is in use by another process; stop it, or choose another port (OMNIRAG_PORT or server.port; 0 takes a free one)\n`
    )
  })
})

describe("an index that cannot answer", () => {
  it("empty: served, found empty, with a hint", async () => {
    const server = await serve(["--config", config], { OMNIRAG_DATA: join(folder, "empty") })
    await server.said(/^the index is empty: /m)
    const { search, ask } = await dataOf(
      server.url,
      `{ search(query: "walrus") { hits { path } warnings } ask(question: "walrus?") { abstained text } }`
    )
    assert.deepStrictEqual(search, { hits: [], warnings: ["the index is empty; run `omnirag index`"] })
    assert.isTrue(ask.abstained)
    assert.strictEqual((await fetch(`${server.origin}/ready`)).status, 200)
  })

  it("torn: the process stays up, is not ready, and every request has a code that says how to repair", async () => {
    const torn = join(folder, "torn")
    cpSync(data, torn, { recursive: true })
    const [generation = ""] = readdirSync(torn).filter((name) => name.startsWith("g-"))
    for (const name of readdirSync(join(torn, generation)).filter((name) => name.startsWith("catalog"))) {
      writeFileSync(join(torn, generation, name), "not a database")
    }
    const server = await serve(["--index", "--config", config], { OMNIRAG_DATA: torn })
    assert.include(server.stderr, "error INDEX_CORRUPT: ")
    await server.said(/^not ready: index: .+ Run `omnirag index --rebuild`/m)
    const ready = await fetch(`${server.origin}/ready`)
    assert.strictEqual(ready.status, 503)
    assert.deepInclude(((await ready.json()) as Json).checks[0], { name: "index", healthy: false })
    assert.strictEqual((await fetch(`${server.origin}/health`)).status, 200)
    const codes = [`{ search(query: "walrus") { warnings } }`, `{ ask(question: "walrus") { text } }`]
    assert.deepStrictEqual(await Promise.all(codes.map((query) => codeOf(server.url, query))), [
      "INDEX_CORRUPT",
      "INDEX_CORRUPT"
    ])
    const [failed] = await collect(overSse(server.url, liveAsk, { question }))
    assert.deepInclude(failed?.data.ask, { __typename: "Failed", code: "INDEX_CORRUPT" })
  })
})

describe("a server that is told to stop", () => {
  const lab = join(folder, "patient.yaml")
  writeFileSync(
    lab,
    `data: ${join(folder, "patient")}
server: { port: 0 }
plugins: [${resolve("tests/support/patientPlugins.ts")}]
sources: [{ use: patient }]
answers: { use: patient }
`
  )

  it("cancels a run on demand; ends live streams and a run going on, records it, and exits with 0", async () => {
    const server = await serve(["--config", lab])
    const start = `mutation { startIndex { id status } }`
    const first = (await dataOf(server.url, start)).startIndex
    assert.strictEqual(first.status, "RUNNING")
    assert.strictEqual(await codeOf(server.url, start), "RUN_IN_PROGRESS")
    const cancel = `mutation ($id: ID!) { cancelIndex(runId: $id) { status } }`
    assert.deepStrictEqual(await dataOf(server.url, cancel, { id: first.id }), {
      cancelIndex: { status: "CANCELLED" }
    })
    await dataOf(
      server.url,
      `mutation { upsertDocument(input: { source: "notes", path: "a.md", text: "Patience is a virtue." }) { id } }`
    )

    const { id } = (await dataOf(server.url, start)).startIndex
    const { client, closed } = connect(server.url)
    const streams = [
      overSse(server.url, liveAsk, { question: "What is patience?" }),
      overSocket(client, liveAsk, { question: "What is patience?" })
    ]
    for (const stream of streams) {
      const events = [await stream.next(), await stream.next()]
      assert.deepStrictEqual(
        events.map(({ value }) => value?.data.ask.__typename),
        ["Sources", "Token"]
      )
    }
    const ends = Promise.all(streams.map((stream) => collect(stream)))
    assert.deepStrictEqual(await server.stop("SIGTERM"), { code: 0, signal: null })
    assert.deepStrictEqual(await ends, [[], []])
    assert.strictEqual(await closed, 1001)

    const next = await serve(["--config", lab])
    const { indexRuns } = await dataOf(next.url, `{ indexRuns(first: 1) { id status } }`)
    assert.deepStrictEqual(indexRuns, [{ id, status: "CANCELLED" }])
  })
})
