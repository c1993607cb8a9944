import { assert, describe, it } from "vitest"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Runs the real command line in a process of its own. */
const omnirag = (args: ReadonlyArray<string>, environment: Record<string, string> = {}) => {
  const result = spawnSync(process.execPath, ["apps/server/bin/omnirag.js", ...args], {
    encoding: "utf8",
    env: { ...process.env, ...environment }
  })
  return { code: result.status, out: result.stdout, err: result.stderr }
}

const folder = mkdtempSync(join(tmpdir(), "omnirag-cli-"))
const document =
  "# Walruses\n\nA walrus sleeps on the ice.\n\n## Food\n\nWalruses eat 6000 clams in one meal.\n"
writeFileSync(join(folder, "walrus.md"), document)
writeFileSync(
  join(folder, "penguin.md"),
  "# Penguins\n\nA penguin lays one egg and keeps it warm on its feet.\n"
)
const config = join(folder, "omnirag.yaml")
writeFileSync(
  config,
  `data: ${join(folder, "data")}\nsources: [{ use: folder, options: { name: zoo, path: ${folder}, include: ["*.md"] } }]\n`
)

describe("omnirag", () => {
  it("chunk prints one chunk per line with its exact range", () => {
    const file = join(folder, "walrus.md")
    const { code, out } = omnirag(["chunk", file, "--config", config, "--json"])
    assert.strictEqual(code, 0)
    const chunks = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    assert.deepStrictEqual(
      chunks.map(({ start, end, lines, headingPath, text }) => ({ start, end, lines, headingPath, text })),
      [
        { start: 0, end: 39, lines: [1, 3], headingPath: ["Walruses"], text: document.slice(0, 39) },
        {
          start: 41,
          end: 86,
          lines: [5, 7],
          headingPath: ["Walruses", "Food"],
          text: `Walruses\n${document.slice(41, 86)}`
        }
      ]
    )
  })

  it("index, search, ask, status, doctor and eval work on the embedded default, each with JSON on stdout", () => {
    const indexed = omnirag(["index", "--config", config, "--json"])
    assert.strictEqual(indexed.code, 0, indexed.err)
    assert.deepInclude(JSON.parse(indexed.out) as object, { status: "succeeded" })

    const found = omnirag(["search", "what do walruses eat", "--config", config, "--json"])
    assert.strictEqual(found.code, 0, found.err)
    const { hits } = JSON.parse(found.out) as {
      hits: Array<{ path: string; chunk: { headingPath: Array<string> } }>
    }
    assert.deepInclude(hits[0], { path: "walrus.md" })
    assert.deepStrictEqual(hits[0]?.chunk.headingPath, ["Walruses", "Food"])

    const asked = omnirag(["ask", "How many clams do walruses eat?", "--config", config])
    assert.strictEqual(asked.code, 0, asked.err)
    assert.include(asked.out, "Walruses eat 6000 clams in one meal. [1]")
    assert.include(asked.out, "zoo/walrus.md:7-7")

    const refused = omnirag(["ask", "Who won the football match?", "--config", config])
    assert.deepStrictEqual(
      [refused.code, refused.out],
      [0, "I found nothing in the indexed documents that answers this question.\n"],
      refused.err
    )

    for (const command of ["search", "ask"]) {
      const elsewhere = omnirag([command, "walrus", "--repo", "zoos", "--config", config])
      assert.strictEqual(elsewhere.code, 0, elsewhere.err)
      assert.include(elsewhere.err, 'warning: nothing is indexed of a repository "zoos"; known: zoo\n')
    }

    const status = omnirag(["status", "--config", config, "--json"])
    assert.strictEqual(status.code, 0, status.err)
    const { generations } = JSON.parse(status.out) as { generations: Array<Record<string, unknown>> }
    assert.deepInclude(generations[0], { live: true, embedder: "lsa", vectors: 3 })

    assert.strictEqual(omnirag(["doctor", "--config", config]).code, 0)

    const set = join(folder, "set.json")
    writeFileSync(set, JSON.stringify([{ query: "penguin egg", expected_source_contains: "penguin.md" }]))
    const evaluated = omnirag(["eval", "--set", set, "--config", config, "--json"])
    assert.strictEqual(evaluated.code, 0, evaluated.err)
    assert.deepStrictEqual(JSON.parse(evaluated.out), {
      queries: 1,
      recall: { "1": 1, "5": 1, "10": 1 },
      mrr: 1,
      ndcg10: 1,
      failures: []
    })
  })

  it("a repeated text is one hit that counts its places, a line quoted twice one place below the answer", () => {
    const seals = join(folder, "seals")
    mkdirSync(seals)
    const text =
      "# Seals\n\nA ringed seal keeps a breathing hole open in the ice. A ringed seal digs its den in snow above that breathing hole.\n"
    for (const name of ["a.md", "b.md", "c.md"]) writeFileSync(join(seals, name), text)
    const file = join(folder, "seals.yaml")
    writeFileSync(
      file,
      `data: ${join(folder, "seals-data")}\nsources: [{ use: folder, options: { name: seals, path: ${seals} } }]\n`
    )
    const indexed = omnirag(["index", "--config", file])
    assert.match(indexed.out, /^succeeded: 3 files, 3 changed,.*\nchunks: 3 new,.* 2 repeated,/)

    const found = omnirag(["search", "ringed seal", "--config", file])
    assert.match(
      found.out,
      /^1\. .* seals\/[abc]\.md:1-3 {2}Seals {2}\(and in 2 other places, see --json\)\n/
    )
    assert.notInclude(found.out, "\n2. ")

    const asked = omnirag(["ask", "Where is the breathing hole of a ringed seal?", "--config", file])
    assert.deepStrictEqual(
      [
        asked.out.match(/\[1\](?! seals)/g)?.length,
        asked.out.match(/^\[1\] seals\/[abc]\.md:3-3 .*$/gm)?.length
      ],
      [2, 1],
      asked.out
    )
  })

  it("an empty corpus is indexed with a warning that says where to look, and searched with another", () => {
    const empty = join(folder, "empty")
    mkdirSync(empty)
    const file = join(folder, "empty.yaml")
    writeFileSync(
      file,
      `data: ${join(folder, "empty-data")}\nsources: [{ use: folder, options: { name: bare, path: ${empty} } }]\n`
    )
    const indexed = omnirag(["index", "--config", file, "--json"])
    assert.strictEqual(indexed.code, 0, indexed.err)
    assert.deepStrictEqual((JSON.parse(indexed.out) as { warnings: unknown }).warnings, [
      `the source bare (${empty}) holds no file to index; check its path, include and exclude`
    ])
    const found = omnirag(["search", "anything", "--config", file, "--json"])
    assert.strictEqual(found.code, 0, found.err)
    assert.deepInclude(JSON.parse(found.out) as object, {
      hits: [],
      warnings: ["the index is empty; run `omnirag index`"]
    })
  })

  const faults: ReadonlyArray<readonly [string, ReadonlyArray<string>, string]> = [
    ["an unknown command", ["serach"], "search"],
    ["a missing configuration", ["status", "--config", "nowhere.yaml"], "CONFIG_INVALID: nowhere.yaml"],
    [
      "an empty question",
      ["search", " ", "--config", config],
      "BAD_USER_INPUT: query: the question is empty"
    ],
    ["no hits asked for", ["search", "x", "-k", "0", "--config", config], "topK"],
    ["a billion hits", ["search", "x", "-k", "1000000000", "--config", config], "1 to 100"],
    ["a huge question", ["search", "x".repeat(100_000), "--config", config], "at most 10000"],
    ["a missing file", ["chunk", "nowhere.md", "--config", config], "nowhere.md cannot be read"],
    [
      "a missing evaluation set",
      ["eval", "--set", "nowhere.json", "--config", config],
      "nowhere.json cannot be read"
    ]
  ]
  for (const [what, args, message] of faults) {
    it(`${what} is one clear error and exit code 1`, () => {
      const { code, out, err } = omnirag(args)
      assert.strictEqual(code, 1)
      assert.include(out + err, message)
      assert.notInclude(err, "    at ")
    })
  }

  it("a configuration with five faults names each with its path", () => {
    const file = join(folder, "faulty.yaml")
    writeFileSync(
      file,
      "data: ${NOWHERE}\ntypo: 1\nserver: { port: 99999 }\nsources: []\nchunker: { use: none }\nembedder: { use: lsa, options: { dimensionz: 1 } }\n"
    )
    const { code, err } = omnirag(["index", "--config", file])
    assert.strictEqual(code, 1)
    assert.deepStrictEqual(
      err
        .trim()
        .split("\n")
        .slice(1)
        .map((line) => line.trim().split(": ")[0]),
      ["data", "typo", "server.port", "sources[0]", "chunker.use", "embedder.options.dimensionz"]
    )
  })

  it("a part that needs a language model says so when there is none", () => {
    const file = join(folder, "modelless.yaml")
    const parts = "answers: { use: llm }\nreranker: { use: llm }\n"
    writeFileSync(file, `${parts}sources: [{ use: folder, options: { path: ${folder} } }]\n`)
    const { code, err } = omnirag(["status", "--config", file])
    assert.strictEqual(code, 1)
    assert.include(
      err,
      "  languageModel: is needed by `answers: {use: llm}` and `reranker: {use: llm}`; name one, for example ollama\n"
    )
  })

  it("repositories that are not there: one clear error that names REPO_BASE", () => {
    const { code, err } = omnirag(["index", "--config", "configs/omnibioai.yaml"], {
      REPO_BASE: join(folder, "nowhere"),
      OMNIRAG_DATA: join(folder, "none")
    })
    assert.strictEqual(code, 1)
    assert.include(err, "SOURCE_UNAVAILABLE")
    assert.include(err, "REPO_BASE")
    assert.deepStrictEqual(readFileSync(join(folder, "walrus.md"), "utf8"), document)
  })
})
