import { assert, describe, it } from "@effect/vitest"
import { interpolate, parseConfig } from "@omnirag/runtime"
import { Effect } from "effect"

describe("interpolate", () => {
  const environment = { HOME_PORT: "8080", NAME: "docs", EMPTY: "", FLAG: "true", TRICK: "a: [1, 2]" }
  const cases: ReadonlyArray<readonly [string, unknown, unknown]> = [
    ["a variable inside a text", "x-${NAME}-y", "x-docs-y"],
    ["a default for an unset variable", "${NOWHERE:-data}", "data"],
    ["a default for an empty variable", "${EMPTY:-data}", "data"],
    ["an empty default", "${NOWHERE:-}", ""],
    ["a number where the value is nothing else", "${HOME_PORT}", 8080],
    ["a number by default", "${NOWHERE:-8082}", 8082],
    ["a text where the number is a part of it", "p${HOME_PORT}", "p8080"],
    ["a truth value", "${FLAG}", true],
    ["an escaped reference", "$${NAME}", "${NAME}"],
    ["no structure out of a variable", "${TRICK}", "a: [1, 2]"],
    ["lists and mappings", { list: ["${NAME}", 1, null] }, { list: ["docs", 1, null] }]
  ]
  for (const [what, value, expected] of cases) {
    it(what, () => assert.deepStrictEqual(interpolate(value, environment), { value: expected, faults: [] }))
  }

  it("reports each variable that is not set, with its path", () => {
    const { faults } = interpolate({ a: "${ONE}", list: [{ b: "${TWO}" }] }, {})
    assert.deepStrictEqual(
      faults.map(({ path }) => path),
      ["a", "list[0].b"]
    )
  })
})

describe("parseConfig", () => {
  const sources = "sources: [{ use: folder, options: { path: . } }]\n"

  it.effect("fills in the defaults", () =>
    Effect.gen(function* () {
      const config = yield* parseConfig("x.yaml", sources, {})
      assert.deepStrictEqual(config.server, { host: "127.0.0.1", port: 8082, graphiql: false })
      assert.strictEqual(config.data, "data")
      assert.deepStrictEqual(config.embedder, { use: "lsa", options: {} })
    })
  )

  it.effect("names the file and every fault with its path", () =>
    Effect.gen(function* () {
      const text = "data: ${NOWHERE}\ntypo: 1\nserver: { port: 99999, hots: x }\nretrieval: { mode: best }\n"
      const error = yield* Effect.flip(parseConfig("x.yaml", text, {}))
      assert.strictEqual(error.file, "x.yaml")
      assert.sameMembers(
        error.faults.map(({ path }) => path),
        ["data", "typo", "server.port", "server.hots", "retrieval.mode", "sources"]
      )
    })
  )

  it.effect("names lists and mappings as YAML does", () =>
    Effect.gen(function* () {
      const text = "sources: { use: folder }\nembedder: lsa\n"
      const error = yield* Effect.flip(parseConfig("x.yaml", text, {}))
      assert.deepStrictEqual(error.faults, [
        { path: "sources", message: "expected a list" },
        { path: "embedder", message: "expected a mapping, such as {key: value}" }
      ])
    })
  )

  it.effect("says of an empty list what is wrong with it", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(parseConfig("x.yaml", "sources: []\n", {}))
      assert.deepStrictEqual(error.faults, [
        { path: "sources[0]", message: "is missing: the list is too short" }
      ])
    })
  )

  it.effect("adds the faults that only the owner of the plugins sees", () =>
    Effect.gen(function* () {
      const fault = { path: "embedder.use", message: "unknown" }
      const error = yield* Effect.flip(
        parseConfig("x.yaml", `${sources}typo: 1\n`, {}, () => Effect.succeed([fault]))
      )
      assert.deepInclude(error.faults, fault)
      assert.strictEqual(error.faults.length, 2)
    })
  )

  for (const [what, text, path] of [
    ["text that is not YAML", "a: [1", "line"],
    ["a list", "- 1", "(root)"],
    ["nothing", "", "(root)"],
    ["several documents", "data: a\n---\ndata: b\n", "(root)"],
    ["comments alone", "# sources:\n", "(root)"]
  ] as const) {
    it.effect(`refuses ${what}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(parseConfig("x.yaml", text, {}))
        assert.strictEqual(error.faults.length, 1)
        assert.include(error.faults[0]?.path, path)
      })
    )
  }
})
