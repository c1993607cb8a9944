import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { replyJson } from "@omnirag/testkit/OllamaDouble"
import { models } from "@omnirag/testkit/models"
import { tinyCrossEncoder, tinyEmbedder, tinyFiles } from "@omnirag/testkit/tinyModels"
import { messageOf, OllamaWorld } from "@omnirag/testkit/OllamaWorld"
import { OmniragProcess } from "@omnirag/testkit/OmniragProcess"
import { ServerProcess } from "@omnirag/testkit/ServerProcess"
import { dataOf, type Json } from "@omnirag/testkit/graphqlClient"

const search = `query ($query: String!, $rerank: Boolean!, $topK: Int = 3) {
  search(query: $query, mode: LEXICAL, topK: $topK, rerank: $rerank) { hits { path scores { lexical rerank } } warnings }
}`
const pathsOf = (result: Json): ReadonlyArray<string> => result.search.hits.map((hit: Json) => hit.path)

describe("the reranker cross-encoder", () => {
  const folder = mkdtempSync(join(tmpdir(), "omnirag-reranking-"))
  const started: Array<ServerProcess> = []
  afterAll(async () => {
    await Promise.all(started.map((server) => server.stop("SIGKILL")))
    rmSync(folder, { recursive: true, force: true })
  })
  const write = (path: string, content: string | Uint8Array): string => {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return file
  }
  for (const [file, content] of Object.entries(tinyFiles(tinyCrossEncoder))) write(`tiny/${file}`, content)
  for (const [file, content] of Object.entries(tinyFiles(tinyEmbedder))) write(`no-reranker/${file}`, content)
  // words the tiny model knows; words find the shortest passage first, the model the one with most of the question
  const passages: Record<string, string> = {
    "short.txt": "alpha beta",
    "middle.txt": `alpha beta alpha beta ${"delta ".repeat(20)}`.trim(),
    "long.txt": `alpha beta alpha beta alpha beta ${"delta ".repeat(40)}`.trim()
  }
  for (const [path, text] of Object.entries(passages)) write(`corpus/${path}`, `${text}\n`)
  /** 2 · equal pairs − 3: those of the words, and that of the closing marks. */
  const logit = (path: string): number =>
    2 * ((passages[path] ?? "").split(" ").filter((word) => word === "alpha" || word === "beta").length + 1) -
    3

  const config = (model: string, more = "") =>
    write(
      `${model}.yaml`,
      `data: ${join(folder, "data")}
server: { port: 0 }
sources: [{ use: folder, options: { name: words, path: ${join(folder, "corpus")} } }]
loaders: [{ use: text }]
vectorStore: { use: exact }
indexing: { minimumChunkLength: 0 }
reranker: { use: cross-encoder, options: { model: ${join(folder, model)}${more} } }
`
    )
  const serve = async (file: string): Promise<ServerProcess> => {
    const server = await ServerProcess.start(["--index", "--config", file])
    started.push(server)
    return server
  }
  const run = async (args: ReadonlyArray<string>) => {
    const command = new OmniragProcess(args)
    const { code } = await command.ended
    return { code, stdout: command.stdout, stderr: command.stderr }
  }
  const query = "alpha beta"
  const searchAndRerank = ["search", query, "--mode", "lexical", "--rerank", "--json"]
  const given = ["short.txt", "middle.txt", "long.txt"]

  it("reorders the hits by the scores of the model, which are on the hits", async () => {
    const file = config("tiny")
    const server = await serve(file)
    const plain = await dataOf(server.url, search, { query, rerank: false })
    assert.deepStrictEqual(pathsOf(plain), given)
    assert.isTrue(plain.search.hits.every((hit: Json) => hit.scores.rerank === null))
    const reranked = await dataOf(server.url, search, { query, rerank: true })
    assert.deepStrictEqual(reranked.search.warnings, [])
    assert.deepStrictEqual(
      reranked.search.hits.map((hit: Json) => [hit.path, hit.scores.rerank]),
      given.toReversed().map((path) => [path, logit(path)])
    )
    // three candidates for one hit, unless configured otherwise
    assert.deepStrictEqual(pathsOf(await dataOf(server.url, search, { query, rerank: true, topK: 1 })), [
      "long.txt"
    ])
    const doctor = await run(["doctor", "--config", file])
    assert.strictEqual(doctor.code, 0)
    assert.match(doctor.stdout, /^ok {3}onnx reranker: the model .+tiny is there and opens$/m)
    const { stdout } = await run([...searchAndRerank, "--config", file])
    assert.deepStrictEqual(
      JSON.parse(stdout).hits.map((hit: Json) => [hit.path, hit.scores.rerank]),
      given.toReversed().map((path) => [path, logit(path)])
    )
  })

  it("scores as many candidates as the configuration says", async () => {
    const server = await serve(config("tiny", ", candidateFactor: 2"))
    assert.deepStrictEqual(pathsOf(await dataOf(server.url, search, { query, rerank: true, topK: 1 })), [
      "middle.txt"
    ])
  })

  /** The one warning of a search that was not reranked. */
  const warningOf = async (server: ServerProcess): Promise<string> => {
    const result = await dataOf(server.url, search, { query, rerank: true })
    assert.deepStrictEqual(pathsOf(result), given)
    assert.isTrue(result.search.hits.every((hit: Json) => hit.scores.rerank === null))
    assert.strictEqual(result.search.warnings.length, 1)
    return result.search.warnings[0]
  }

  it("keeps the given order, with a warning, when the model is missing; the system stays ready", async () => {
    const file = config("absent")
    const server = await serve(file)
    const reason =
      /^the hits were not reranked: there is no folder \S+absent\. The option model must name a folder/
    assert.match(await warningOf(server), reason)
    const { code, stdout } = await run([...searchAndRerank, "--config", file])
    assert.strictEqual(code, 0)
    assert.match(JSON.parse(stdout).warnings[0], reason)

    await server.said(/^warning: onnx reranker: there is no folder /m)
    const ready = await fetch(`${server.origin}/ready`)
    assert.strictEqual(ready.status, 200)
    const { checks } = (await ready.json()) as Json
    const check = checks.find(({ name }: Json) => name === "onnx reranker")
    assert.deepInclude(check, { healthy: false, optional: true })
    const { status } = await dataOf(server.url, `{ status { ready checks { name healthy optional } } }`)
    assert.isTrue(status.ready)
    assert.deepInclude(status.checks, { name: "onnx reranker", healthy: false, optional: true })
    const doctor = await run(["doctor", "--config", file])
    assert.strictEqual(doctor.code, 0)
    assert.match(doctor.stdout, /^warn onnx reranker: /m)
  })

  it("and when the model is of another kind", async () => {
    const server = await serve(config("no-reranker"))
    assert.match(await warningOf(server), /^the hits were not reranked: .+ it is not a cross-encoder/)
  })

  it("the embedder is needed: one whose model is missing makes the system unready", async () => {
    const file = write(
      "embedder.yaml",
      `data: ${join(folder, "data-embedder")}
sources: [{ use: folder, options: { name: words, path: ${join(folder, "corpus")} } }]
embedder: { use: onnx, options: { model: ${join(folder, "absent")} } }
`
    )
    const doctor = await run(["doctor", "--config", file])
    assert.strictEqual(doctor.code, 1)
    assert.match(doctor.stdout, /^FAIL onnx embedder: there is no folder /m)
    const there = write(
      "embedder-there.yaml",
      `data: ${join(folder, "data-there")}
sources: [{ use: folder, options: { name: words, path: ${join(folder, "corpus")} } }]
embedder: { use: onnx, options: { model: ${join(folder, "no-reranker")} } }
`
    )
    const healthy = await run(["doctor", "--config", there])
    assert.strictEqual(healthy.code, 0)
    assert.match(healthy.stdout, /^ok {3}onnx embedder: the model .+ is there and opens$/m)
  })
})

const trained = join(models, "cross-encoder-wild-MiniLM-L6")
const hasTrained = existsSync(trained)
const reason = hasTrained ? "" : " (skipped: research/cross-encoder/train.py makes it)"

describe.skipIf(!hasTrained)(`the reranker cross-encoder with trained weights${reason}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "omnirag-trained-"))
  let server: ServerProcess
  let example: { question: string; passages: ReadonlyArray<string>; logits: ReadonlyArray<number> }
  beforeAll(async () => {
    example = JSON.parse(readFileSync(join(trained, "training.json"), "utf8")).example
    mkdirSync(join(folder, "corpus"))
    example.passages.forEach((text, index) => writeFileSync(join(folder, "corpus", `${index}.txt`), text))
    const file = join(folder, "omnirag.yaml")
    writeFileSync(
      file,
      `data: ${join(folder, "data")}
sources: [{ use: folder, options: { path: ${join(folder, "corpus")} } }]
loaders: [{ use: text }]
embedder: { use: lsa }
vectorStore: { use: exact }
indexing: { minimumChunkLength: 0 }
reranker: { use: cross-encoder, options: { model: ${trained} } }
`
    )
    server = await ServerProcess.start(["--index", "--config", file])
  })
  afterAll(async () => {
    await server.stop("SIGKILL")
    rmSync(folder, { recursive: true, force: true })
  })

  it("gives the logits that Python's tokenizers and onnxruntime gave after the training, and their order", async () => {
    const { search: found } = await dataOf(
      server.url,
      `query ($query: String!) {
        search(query: $query, mode: VECTOR, topK: 3, rerank: true) { hits { path scores { rerank } } warnings }
      }`,
      { query: example.question }
    )
    assert.deepStrictEqual(found.warnings, [])
    const expected = example.logits
      .map((logit, index) => ({ path: `${index}.txt`, logit }))
      .toSorted((a, b) => b.logit - a.logit)
    assert.deepStrictEqual(
      pathsOf({ search: found }),
      expected.map(({ path }) => path)
    )
    expected.forEach(({ logit }, rank) => assert.closeTo(found.hits[rank].scores.rerank, logit, 0.01))
  })
})

describe("the reranker llm", () => {
  const world = new OllamaWorld()
  let server: ServerProcess
  beforeAll(async () => {
    world.corpus.write("one.md", "# One\n\nThe gateway listens on port 8080.\n")
    world.corpus.write("two.md", "# Two\n\nThe gateway keeps a log of every port.\n")
    world.corpus.write("three.md", "# Three\n\nThe port of the old gateway was closed.\n")
    await world.up()
    server = await world.serve()
  })
  afterAll(() => world.stop())
  const query = "gateway port"

  it("reorders the hits as the model ranks them; the passages it sees stand between random marks", async () => {
    const plain = await dataOf(server.url, search, { query, rerank: false })
    world.says(["[3] >", " [1] > [2]"])
    const reranked = await dataOf(server.url, search, { query, rerank: true })
    const given = pathsOf(plain)
    assert.deepStrictEqual(
      pathsOf(reranked),
      [2, 0, 1].map((rank) => given[rank] ?? "")
    )
    assert.isTrue(reranked.search.hits.every((hit: Json) => hit.scores.rerank > 0))
    const [chat] = world.received("/api/chat")
    assert.match(messageOf(chat, "user"), /^<<([\da-f-]{36}) \[1\]\n[^]+\n\1>>\n\n<<\1 \[2\]/)
  })

  it("keeps the given order, with a warning, when the model ranks nothing, fails, or is not there", async () => {
    const given = pathsOf(await dataOf(server.url, search, { query, rerank: false }))
    const warned = async (reason: RegExp) => {
      const result = await dataOf(server.url, search, { query, rerank: true })
      assert.deepStrictEqual(pathsOf(result), given)
      assert.strictEqual(result.search.warnings.length, 1)
      assert.match(result.search.warnings[0], reason)
    }
    world.says(["I like all of them."])
    await warned(/^the hits were not reranked: m gave no ranking but: I like all of them\.$/)
    world.double.on("/api/chat", replyJson({ error: "the runner has crashed" }, 500))
    await warned(/^the hits were not reranked: Ollama answered with status 500: the runner has crashed$/)
    world.double.on("/api/chat", replyJson({ error: 'model "m" not found, try pulling it first' }, 404))
    await warned(/run: ollama pull m$/)
  })

  it("an answer is given from the reranked passages, with the warning when they are not", async () => {
    const ask = `{ ask(question: "On which port does the gateway listen?", rerank: true) { text warnings } }`
    world.says(["Port 8080 [1]. No ranking."])
    const { ask: answer } = await dataOf(server.url, ask)
    assert.strictEqual(answer.text, "Port 8080 [1]. No ranking.")
    assert.match(answer.warnings[0], /^the hits were not reranked: m gave no ranking but: /)
  })
})
