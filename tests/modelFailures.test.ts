import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { letterVector, replyJson } from "@omnirag/testkit/OllamaDouble"
import { OllamaWorld } from "@omnirag/testkit/OllamaWorld"
import type { ServerProcess } from "@omnirag/testkit/ServerProcess"
import { codeOf, collect, dataOf, graphql, type Json, overSse } from "@omnirag/testkit/graphqlClient"

let world: OllamaWorld
beforeEach(async () => {
  world = new OllamaWorld()
  world.corpus.write("gateway.md", "# Gateway\n\nThe gateway listens on port 8080.\n")
  world.corpus.write("walrus.md", "# Walruses\n\nA walrus sleeps on the ice.\n")
  await world.up()
})
afterEach(() => world.stop())

const question = "On which port does the gateway listen?"
const find = (mode: string) =>
  `{ search(query: "gateway port", mode: ${mode}, topK: 1) { hits { path } warnings } }`
const found = { search: { hits: [{ path: "gateway.md" }], warnings: [] } }
const ask = `{ ask(question: "${question}") { text } }`

/** Installed models by name and digest. */
const installed = (models: Readonly<Record<string, string>>) =>
  world.double.on(
    "/api/tags",
    replyJson({ models: Object.entries(models).map(([model, digest]) => ({ name: model, model, digest })) })
  )
const checksOf = async (
  server: ServerProcess
): Promise<{ readonly status: number; readonly checks: Json }> => {
  const response = await fetch(`${server.origin}/ready`)
  const { checks } = (await response.json()) as Json
  return {
    status: response.status,
    checks: Object.fromEntries(checks.map((check: Json) => [check.name, check]))
  }
}
/** Asks `/ready` until it has the status: the parts are looked at again in the background. */
const readyWith = async (server: ServerProcess, status: number) => {
  for (;;) {
    const ready = await checksOf(server)
    if (ready.status === status) return ready
  }
}

describe("a model that is not installed", () => {
  it("is named with the command that pulls it: in doctor, when indexing, in /ready, and in the answer", async () => {
    installed({ "m:latest": "1", "nomic-embed-text:latest": "1" })
    const healthy = await world.run(["doctor"])
    assert.strictEqual(healthy.code, 0)
    assert.match(healthy.stdout, /^ok {3}sources: found docs$/m)
    assert.match(healthy.stdout, /^ok {3}index: empty; run `omnirag index`$/m)
    assert.match(
      healthy.stdout,
      /^ok {3}ollama embedder: .+ is reachable and has the model "nomic-embed-text" \(1\)$/m
    )
    assert.match(healthy.stdout, /^ok {3}ollama languageModel: .+ is reachable and has the model "m" \(1\)$/m)

    installed({ "nomic-embed-text:latest": "1" })
    const noModel = await world.run(["doctor"])
    assert.strictEqual(noModel.code, 1)
    assert.match(
      noModel.stdout,
      /^FAIL ollama languageModel: .+ does not have the model "m"; run: ollama pull m$/m
    )

    const server = await world.serve()
    const { checks, status } = await checksOf(server)
    assert.strictEqual(status, 503)
    assert.match(checks["ollama languageModel"].detail, /run: ollama pull m$/)
    // what does not need the model works
    assert.deepStrictEqual(await dataOf(server.url, find("HYBRID")), found)
    world.double.on("/api/chat", replyJson({ error: 'model "m" not found, try pulling it first' }, 404))
    const { errors } = await graphql(server.url, ask)
    assert.strictEqual(errors?.[0]?.extensions.code, "GENERATION_FAILED")
    assert.match(errors?.[0]?.message ?? "", /does not have the model "m"; run: ollama pull m$/)

    installed({ "m:latest": "1" })
    const noEmbedder = await world.run(["index"], { environment: { OMNIRAG_DATA: `${world.folder}/other` } })
    assert.strictEqual(noEmbedder.code, 1)
    assert.match(
      noEmbedder.stderr,
      /error EMBEDDING_FAILED: .+ does not have the model "nomic-embed-text"; run: ollama pull nomic-embed-text$/m
    )
  })
})

describe("an Ollama server that goes away", () => {
  it("is missed by name; words are still found; all is well again when it is back, without a restart", async () => {
    const server = await world.serve()
    assert.strictEqual((await checksOf(server)).status, 200)
    assert.deepStrictEqual(await dataOf(server.url, find("HYBRID")), found)

    await world.down()
    const { checks, status } = await checksOf(server)
    assert.strictEqual(status, 503)
    assert.match(
      checks["ollama embedder"].detail,
      /cannot be reached \(ECONNREFUSED\); start it with "ollama serve"/
    )
    assert.deepStrictEqual(await dataOf(server.url, find("LEXICAL")), found)
    const { errors } = await graphql(server.url, find("HYBRID"))
    assert.strictEqual(errors?.[0]?.extensions.code, "EMBEDDING_FAILED")
    assert.match(errors?.[0]?.message ?? "", /cannot be reached/)

    await world.up()
    assert.strictEqual((await checksOf(server)).status, 200)
    assert.deepStrictEqual(await dataOf(server.url, find("HYBRID")), found)
    world.says(["Port 8080 [1]."])
    assert.deepStrictEqual(await dataOf(server.url, ask), { ask: { text: "Port 8080 [1]." } })
  })

  it("and is away when OmniRAG starts: the same, and an index run says why it cannot be made", async () => {
    assert.strictEqual((await world.run(["index"])).code, 0)
    await world.down()
    const server = await world.serve()
    assert.match(server.stderr, /^error EMBEDDING_FAILED: .+ cannot be reached/m)
    await server.said(/^not ready: ollama embedder: .+ cannot be reached/m)
    assert.strictEqual((await checksOf(server)).status, 503)
    assert.deepStrictEqual(await dataOf(server.url, find("LEXICAL")), found)
    assert.strictEqual(await codeOf(server.url, find("HYBRID")), "EMBEDDING_FAILED")
    await world.up()
    await readyWith(server, 200)
    assert.deepStrictEqual(await dataOf(server.url, find("HYBRID")), found)
  })
})

describe("a model that is pulled anew under the same name", () => {
  /** Other weights, so other vectors: the letters counted backwards. */
  const replaced = () => {
    installed({ "m:latest": "1", "nomic-embed-text:latest": "2" })
    world.double.on("/api/embed", ({ body }, response) => {
      const inputs = body["input"] as ReadonlyArray<string>
      response.end(JSON.stringify({ embeddings: inputs.map((text) => letterVector(text).toReversed()) }))
    })
  }
  const startIndex = `mutation { startIndex { id } }`
  const follow = `subscription ($id: ID!) { indexProgress(runId: $id) { status } }`
  const runs = `{ indexRuns(first: 1) { status warnings counts { embedded changed } } status { generations { id live } } }`

  it("is refused at once as MODEL_CHANGED; the next run builds the new vectors beside the old ones", async () => {
    installed({ "m:latest": "1", "nomic-embed-text:latest": "1" })
    const server = await world.serve()
    assert.deepStrictEqual(await dataOf(server.url, find("HYBRID")), found)

    replaced()
    const { errors } = await graphql(server.url, find("HYBRID"))
    assert.strictEqual(errors?.[0]?.extensions.code, "MODEL_CHANGED")
    assert.match(
      errors?.[0]?.message ?? "",
      /^the index holds vectors of ollama:nomic-embed-text:27:\w{12}, but the embedder is now ollama:nomic-embed-text:27:\w{12}; start the mutation startIndex$/
    )
    assert.strictEqual(await codeOf(server.url, ask), "MODEL_CHANGED")
    assert.deepStrictEqual(await dataOf(server.url, find("LEXICAL")), found)
    assert.match(
      (await readyWith(server, 503)).checks.index.detail,
      /^the index holds vectors of ollama:nomic-embed-text/
    )

    world.received("/api/embed")
    const { id } = (await dataOf(server.url, startIndex)).startIndex
    await collect(overSse(server.url, follow, { id }))
    assert.strictEqual((await checksOf(server)).status, 200)
    assert.deepStrictEqual(await dataOf(server.url, find("HYBRID")), found)
    const { indexRuns, status } = await dataOf(server.url, runs)
    assert.strictEqual(indexRuns[0].status, "SUCCEEDED")
    assert.match(
      indexRuns[0].warnings[0],
      /^a new index is built beside the one in use: the index holds vectors of /
    )
    assert.strictEqual(indexRuns[0].counts.embedded, 2)
    assert.deepStrictEqual(status.generations, [{ id: "g-000002", live: true }])
    // every passage was embedded by the new model
    const passages = world
      .received("/api/embed")
      .flatMap(({ input }) => input as ReadonlyArray<string>)
      .filter((text) => text.startsWith("search_document: # "))
    assert.strictEqual(passages.length, 2)
  })

  it("also while nothing runs: the next start and the command line refuse in the same way", async () => {
    installed({ "m:latest": "1", "nomic-embed-text:latest": "1" })
    assert.strictEqual((await world.run(["index"])).code, 0)
    replaced()
    const search = await world.run(["search", "gateway port", "--json"])
    assert.strictEqual(search.code, 1)
    assert.strictEqual(JSON.parse(search.stderr || search.stdout).error.code, "MODEL_CHANGED")
    assert.strictEqual((await world.run(["index"])).code, 0)
    const again = await world.run(["search", "gateway port", "--json"])
    assert.strictEqual(JSON.parse(again.stdout).hits[0].path, "gateway.md")
  })
})

describe("a passage longer than the model's context", () => {
  it("is embedded in windows, and the warning of the run names its document; equal lines are counted", async () => {
    world.double.on("/api/show", replyJson({ model_info: { "arch.context_length": 100 } }))
    const sentence = "The walrus with the long name sleeps on the ice. "
    world.corpus.write(
      "long.md",
      `# Long\n\n${sentence.repeat(10)}\n\n# Longer\n\n${sentence.replace("walrus", "marmot").repeat(10)}\n`
    )
    const { code, stdout } = await world.run(["index", "--json"])
    assert.strictEqual(code, 0)
    assert.deepStrictEqual(JSON.parse(stdout).warnings, [
      "docs/long.md: longer than the 100 tokens of the model: embedded as the mean of 2 windows (2 times)"
    ])
    // a generation that is built from the documents of another says so, too
    installed({ "m:latest": "1", "nomic-embed-text:latest": "2" })
    const anew = await world.run(["index", "--json"])
    assert.include(
      JSON.parse(anew.stdout).warnings,
      "docs/long.md: longer than the 100 tokens of the model: embedded as the mean of 2 windows (2 times)"
    )
  })
})
