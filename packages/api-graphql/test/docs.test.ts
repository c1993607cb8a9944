import { assert, describe, it, layer } from "@effect/vitest"
import * as core from "@omnirag/core/app"
import { Effect, Predicate, Stream } from "effect"
import { execFile, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { apiCodes, defaultLimits } from "../src/index.ts"
import { baseUrl, openSse, postBody, sseEvents } from "./client.ts"
import { answer, document, run, serve } from "./doubles.ts"

const here = dirname(fileURLToPath(import.meta.url))
const docs = readFileSync(new URL("../../../docs/api.md", import.meta.url), "utf8")
const address = "127.0.0.1:8082"

/** The code blocks of the page in a language. */
const blocks = (language: string): ReadonlyArray<string> =>
  [...docs.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
    ([, code = ""]) => code
  )

const execute = (command: string, args: ReadonlyArray<string>) =>
  Effect.promise(async () => (await promisify(execFile)(command, [...args], { cwd: here })).stdout)

const hasCurl = spawnSync("curl", ["--version"]).status === 0

const progress: core.Indexer["Service"]["progress"] = (runId) =>
  Stream.make({
    runId,
    status: "running",
    stage: "embed",
    counts: run.counts,
    filesTotal: 3,
    bytesTotal: 10,
    currentFile: null,
    etaMs: null
  })

describe("docs/api.md", () => {
  layer(serve({ indexer: { progress }, documents: { get: (id) => Effect.succeed(document(id)) } }), {
    excludeTestServices: true
  })("its examples run", (it) => {
    for (const [index, query] of blocks("graphql").entries()) {
      it.effect(`GraphQL ${index + 1}`, () =>
        Effect.gen(function* () {
          if (query.startsWith("subscription")) {
            const response = yield* openSse(query)
            const events = sseEvents(yield* Effect.promise(() => response.text()))
            assert.deepStrictEqual(
              events.map(({ event }) => event),
              ["next", "complete"]
            )
            assert.notInclude(events[0]?.data ?? "", '"errors"')
          } else {
            const { body } = yield* postBody({ query })
            assert.notProperty(body, "errors")
          }
        })
      )
    }

    for (const [index, command] of blocks("sh").entries()) {
      it.effect.skipIf(!hasCurl)(`shell ${index + 1} (where curl is installed)`, () =>
        Effect.gen(function* () {
          const host = new URL(yield* baseUrl).host
          const output = yield* execute("sh", ["-c", command.replaceAll(address, host)])
          assert.include(output, answer.citations[0]?.path ?? "")
          assert.notInclude(output, '"errors"')
        })
      )
    }

    for (const [index, code] of blocks("js").entries()) {
      it.effect(`JavaScript ${index + 1}`, () =>
        Effect.gen(function* () {
          const host = new URL(yield* baseUrl).host
          const args = ["--input-type=module", "--eval", code.replaceAll(address, host)]
          assert.strictEqual(yield* execute(process.execPath, args), answer.text)
        })
      )
    }
  })

  it("names every code of this package", () => {
    const codes = Object.values(apiCodes).filter((code) => code !== apiCodes.cancelled)
    assert.deepStrictEqual(
      codes.filter((code) => !docs.includes(`\`${code}\``)),
      []
    )
    assert.deepStrictEqual([blocks("graphql").length, blocks("sh").length, blocks("js").length], [7, 2, 1])
  })

  it("names every code of core's errors", () => {
    const codes = Object.values<unknown>(core).flatMap((value) => {
      if (typeof value !== "function") return []
      const code: unknown = Predicate.isObject(value["prototype"])
        ? Object.getOwnPropertyDescriptor(value["prototype"], "code")?.get?.call({})
        : undefined
      return typeof code === "string" ? [code] : []
    })
    assert.isAbove(codes.length, 15)
    assert.deepStrictEqual(
      codes.filter((code) => !docs.includes(`\`${code}\``)),
      []
    )
  })

  it("gives the limits as they are", () => {
    const { tokens, selections, aliases, directives, depth, introspectionDepth } = defaultLimits
    const { complexity, batch, operationsPerSocket } = defaultLimits
    const rows = [
      `| ${tokens.toLocaleString("en")}, ${selections}, ${aliases}, ${directives} |`,
      `| ${depth} (${introspectionDepth} below \`__schema\`) |`,
      `| ${complexity.toLocaleString("en")} |`,
      `| ${batch}; ${operationsPerSocket} |`
    ]
    for (const row of rows) assert.include(docs, row)
    assert.strictEqual(defaultLimits.bodyBytes, 1024 * 1024)
  })
})
