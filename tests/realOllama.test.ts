import { Effect, Exit, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { hasOllama, startOllama } from "@omnirag/testkit/RealOllama"
import { tinyModel } from "@omnirag/testkit/tinyModel"
import { ServerProcess } from "@omnirag/testkit/ServerProcess"
import { Corpus } from "@omnirag/testkit/TestSystem"
import { collect, connect, dataOf, overSocket } from "@omnirag/testkit/graphqlClient"

const reason = hasOllama ? "" : " (skipped: run scripts/fetch-ollama.sh for a server)"

describe.skipIf(!hasOllama)(`configs/ollama.yaml with a real Ollama server${reason}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "omnirag-real-ollama-"))
  const scope = Scope.makeUnsafe()
  let server: ServerProcess | undefined
  let url = ""
  beforeAll(async () => {
    const corpus = new Corpus(join(folder, "corpus"))
    corpus.write("gateway.md", "# Gateway\n\nThe gateway listens on port 8080.\n")
    corpus.write("walrus.md", "# Walruses\n\nA walrus sleeps on the ice.\n")
    const ollama = await Effect.runPromise(Scope.provide(startOllama, scope))
    await Effect.runPromise(ollama.create("tiny", { "tiny.gguf": tinyModel() }, "{{ .System }}{{ .Prompt }}"))
    server = await ServerProcess.start(["--index", "--config", resolve("configs/ollama.yaml")], {
      OMNIRAG_DATA: join(folder, "data"),
      OMNIRAG_SOURCE: corpus.root,
      OLLAMA_URL: ollama.url,
      OLLAMA_MODEL: "tiny",
      OLLAMA_EMBED_MODEL: "tiny",
      // each letter is a token of this model
      OLLAMA_NUM_CTX: "4096",
      OLLAMA_ANSWER_TOKENS: "32"
    })
    url = server.url
  }, 120_000)
  afterAll(async () => {
    await server?.stop("SIGTERM")
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  })

  it("indexes, finds by words and meaning, and is ready", async () => {
    const { search, status } = await dataOf(
      url,
      `{
        search(query: "gateway port") { mode warnings hits { path scores { vector } } }
        status { ready generations { embedder dimensions vectors } checks { name healthy } }
      }`
    )
    assert.deepStrictEqual([search.mode, search.warnings], ["HYBRID", []])
    assert.strictEqual(search.hits[0].path, "gateway.md")
    assert.isNumber(search.hits[0].scores.vector)
    assert.isTrue(status.ready)
    assert.deepStrictEqual(status.generations, [{ embedder: "ollama", dimensions: 64, vectors: 2 }])
    assert.deepInclude(status.checks, { name: "ollama languageModel", healthy: true })
  })

  it("streams an answer whose tokens make its text, with what they cost", async () => {
    const { client } = connect(url)
    const results = await collect(
      overSocket(
        client,
        `subscription { ask(question: "On which port does the gateway listen?") {
          __typename ... on Token { text } ... on Done { answer { text abstained usage { input output } } } ... on Failed { message }
        } }`
      )
    )
    await client.dispose()
    const events = results.map(({ data }) => data.ask)
    const { answer } = events.at(-1)
    assert.deepStrictEqual([events[0].__typename, events.at(-1).__typename], ["Sources", "Done"])
    assert.isAbove(events.length, 4)
    assert.strictEqual(events.map(({ text }) => text ?? "").join(""), answer.text)
    assert.isFalse(answer.abstained)
    assert.isAbove(answer.usage.input, 100)
    assert.isTrue(answer.usage.output >= 1 && answer.usage.output <= 32)
  })
})
