import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { cpSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  codeOf,
  collect,
  connect,
  dataOf,
  type Json,
  overSocket,
  overSse
} from "@omnirag/testkit/graphqlClient"
import { liveAsk } from "@omnirag/testkit/liveAsk"
import { OmniragProcess } from "@omnirag/testkit/OmniragProcess"
import { makeZoo, question } from "@omnirag/testkit/Zoo"

const { close, config, data, folder, serve } = makeZoo()

let url = ""
beforeAll(async () => {
  const server = await serve(["--index", "--config", config], { OMNIRAG_DATA: data })
  url = server.url
})
afterAll(close)

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
    assert.deepStrictEqual(search, {
      hits: [],
      warnings: ["the index is empty; start the mutation startIndex"]
    })
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
    await server.said(/^not ready: index: .+; run `omnirag index --rebuild`/m)
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
plugins: ["@omnirag/testkit/patientPlugins"]
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
