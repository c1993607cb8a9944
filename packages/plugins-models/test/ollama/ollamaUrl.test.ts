import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Option } from "effect"
import { parseOllamaUrl, resolveOllamaUrl } from "../../src/ollama/ollamaUrl.ts"

describe("parseOllamaUrl", () => {
  const cases: ReadonlyArray<readonly [string, string | undefined]> = [
    ["http://127.0.0.1:11434", "http://127.0.0.1:11434"],
    ["http://ollama:11434/api", "http://ollama:11434"],
    ["http://ollama:11434/api/", "http://ollama:11434"],
    ["https://models.example.org/ollama/", "https://models.example.org/ollama"],
    ["https://models.example.org", "https://models.example.org"],
    ["http://models.example.org", "http://models.example.org"],
    ["models.example.org", "http://models.example.org:11434"],
    ["models.example.org:80", "http://models.example.org"],
    ["0.0.0.0", "http://127.0.0.1:11434"],
    ["0.0.0.0:9000", "http://127.0.0.1:9000"],
    ["http://0.0.0.0:9000", "http://127.0.0.1:9000"],
    [":9000", "http://127.0.0.1:9000"],
    ["9000", "http://127.0.0.1:9000"],
    ["http://:9000", "http://127.0.0.1:9000"],
    ["ollama:080", "http://ollama"],
    ["ollama:9000/proxy/api/", "http://ollama:9000/proxy"],
    ["http://ollama:9000//api", "http://ollama:9000"],
    ["2001:db8:0:0:0:0:0:1", "http://[2001:db8::1]:11434"],
    ["::ffff:127.0.0.1", "http://[::ffff:7f00:1]:11434"],
    ["::1", "http://[::1]:11434"],
    ["[::]:9000", "http://[::1]:9000"],
    ['"10.0.0.7:11434"', "http://10.0.0.7:11434"],
    ["http://me:secret@host:1", "http://me:secret@host:1"],
    ["http://me:100%@host:1", "http://me:100%25@host:1"],
    ["http://me:p@ss%20@host:1", "http://me:p%40ss%20@host:1"],
    ["host:99999", undefined],
    ["ftp://host", undefined],
    ["not a host", undefined],
    ["", undefined]
  ]
  for (const [address, url] of cases) {
    it(`${JSON.stringify(address)} is ${url ?? "refused"}`, () => {
      assert.strictEqual(Option.getOrUndefined(parseOllamaUrl(address)), url)
    })
  }
})

describe("resolveOllamaUrl", () => {
  const resolve = (option: string, environment: Record<string, string>) =>
    resolveOllamaUrl("embedder", option).pipe(
      Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env: environment }))
    )
  it.effect(
    "the option wins over OLLAMA_URL, that over OLLAMA_HOST, that over the default; empty ones do not count",
    () =>
      Effect.gen(function* () {
        const both = { OLLAMA_URL: "http://a:1/api", OLLAMA_HOST: "b:2" }
        assert.strictEqual(yield* resolve("c:3", both), "http://c:3")
        assert.strictEqual(yield* resolve("", both), "http://a:1")
        assert.strictEqual(yield* resolve("", { ...both, OLLAMA_URL: "" }), "http://b:2")
        assert.strictEqual(yield* resolve("", {}), "http://127.0.0.1:11434")
      })
  )
  const bad: ReadonlyArray<readonly [string, string]> = [
    ["ftp://me:secret@host", "ftp://host"],
    ["me:secret@host:port", "host:port"],
    ["http://me:sec/ret@host:1", "http://host:1"],
    ["http://me:sec@ret@host:port", "http://host:port"]
  ]
  for (const [address, shown] of bad) {
    it.effect(`a bad address is refused with where it stands, without its login: ${address}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(resolve("", { OLLAMA_HOST: address }))
        assert.strictEqual(
          error.message,
          `the environment variable OLLAMA_HOST is not an address of an Ollama server: "${shown}"; write for example http://127.0.0.1:11434`
        )
      })
    )
  }
})
