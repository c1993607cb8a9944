import { afterAll, assert, describe, it } from "vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { version } from "@omnirag/runtime"
import { OmniragProcess } from "@omnirag/testkit/OmniragProcess"

const folder = mkdtempSync(join(tmpdir(), "omnirag-process-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** A document whose chunks are more than a pipe holds. */
writeFileSync(
  join(folder, "long.md"),
  Array.from({ length: 400 }, (_, n) => `# Part ${n}\n\n${`Words of part ${n}. `.repeat(40)}`).join("\n\n")
)
const config = join(folder, "patient.yaml")
writeFileSync(
  config,
  `data: ${join(folder, "data")}
plugins: ["@omnirag/testkit/patientPlugins"]
sources: [{ use: patient }]
`
)
const command = `"${process.execPath}" apps/server/bin/omnirag.js`
const shell = (script: string) => spawnSync("bash", ["-c", script], { encoding: "utf8" })

describe("the process of a command", () => {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143]
  ] as const) {
    it(`index ended by ${signal}: the run is cancelled, says so, and the exit code is ${code}`, async () => {
      const index = new OmniragProcess(["index", "--config", config, "--json"])
      await index.said(/0\/2 files|1\/2 files/)
      assert.deepStrictEqual(await index.stop(signal), { code, signal: null })
      assert.include(index.stderr, "cancelled; what is committed stays")
      assert.strictEqual(index.stdout, "")
    })
  }

  it("a reader that has enough ends a command quietly", () => {
    const { stdout, stderr } = shell(
      `${command} chunk ${join(folder, "long.md")} --config ${config} | head -1; echo "\${PIPESTATUS[0]}"`
    )
    assert.deepStrictEqual(stdout.split("\n").slice(1), ["0", ""])
    assert.strictEqual(stderr, "")
  })

  it.skipIf(process.platform !== "linux")("output that cannot be written is an error", () => {
    const { status, stderr } = shell(`${command} chunk README.md --config ${config} >/dev/full`)
    assert.strictEqual(status, 1)
    assert.match(stderr, /^error OUTPUT_FAILED: .+ENOSPC.+\n$/)
  })

  it("control characters in names and texts never reach the terminal; with --json they are escaped", () => {
    const odd = mkdtempSync(join(folder, "odd-"))
    const name = "a\u001b[31m\nsucceeded\u0007.md"
    writeFileSync(
      join(odd, name),
      `# Odd\n\nwalruses \u001b]0;mine\u0007 of all kinds\n${"and words. ".repeat(30)}`
    )
    writeFileSync(join(odd, "b\u001b[2J.md"), new Uint8Array([0, 1, 0]))
    const oddConfig = join(folder, "odd.yaml")
    writeFileSync(
      oddConfig,
      `data: ${join(folder, "odd-data")}\nsources: [{ use: folder, options: { name: odd, path: ${odd} } }]\n`
    )
    const said = ["index", "search walruses", "ask walruses?"].map((words) => {
      const { status, stderr, stdout } = shell(`${command} ${words} --config ${oddConfig}`)
      assert.strictEqual(status, 0, stderr)
      return stdout + stderr
    })
    // oxlint-disable-next-line no-control-regex -- none of them may be there
    assert.notMatch(said.join(""), /[\u0000-\u0008\u000b-\u001f]/)
    assert.include(said[0], "skipped: odd/b␛[2J.md: it is binary")
    assert.include(said[1], "odd/a␛[31m␊succeeded␇.md:1-")
    assert.include(said[2], "odd/a␛[31m␊succeeded␇.md:")
    const json: unknown = JSON.parse(shell(`${command} search walruses --json --config ${oddConfig}`).stdout)
    assert.include(JSON.stringify(json), JSON.stringify(name).slice(1, -1))
  })

  it("results are on stdout alone; errors on stderr alone, with --json as one line of JSON", () => {
    const plain = shell(`${command} chunk nowhere.md --config ${config}`)
    assert.deepStrictEqual(
      [plain.status, plain.stdout, plain.stderr],
      [1, "", "error BAD_USER_INPUT: file: nowhere.md cannot be read: it does not exist\n"]
    )
    const json = shell(`${command} chunk nowhere.md --json --config ${config}`)
    assert.deepStrictEqual([json.status, json.stdout], [1, ""])
    assert.deepStrictEqual(JSON.parse(json.stderr), {
      error: {
        code: "BAD_USER_INPUT",
        field: "file",
        message: "nowhere.md cannot be read: it does not exist"
      }
    })
    const usage = shell(`${command} chunk --json --config ${config}`)
    assert.deepStrictEqual([usage.status, usage.stdout], [1, ""])
    assert.deepStrictEqual(JSON.parse(usage.stderr), {
      error: { code: "USAGE_INVALID", message: "Missing required argument: file" }
    })
  })

  it("a call that makes no sense: what is wrong, what was meant, where to read on; no colours in a pipe", () => {
    const { status, stdout, stderr } = shell(`${command} serach`)
    assert.deepStrictEqual([status, stdout], [1, ""])
    assert.strictEqual(
      stderr,
      'ERROR\n  Unknown subcommand "serach" for "omnirag"\n\n  Did you mean this?\n    search\nSee `omnirag --help`.\n'
    )
  })

  it("--version, and npx in a folder of the project", () => {
    assert.strictEqual(shell(`${command} --version`).stdout, `omnirag v${version}\n`)
    assert.strictEqual(shell("cd docs && npx --no-install omnirag --version").stdout, `omnirag v${version}\n`)
  })

  it("an older Node hands over to the one that npm has installed", () => {
    // the version is all the launcher looks at
    const old = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'20.0.0'})`
    const node = `"${process.execPath}" --import "${old}" apps/server/bin/omnirag.js`
    assert.strictEqual(shell(`${node} --version`).stdout, `omnirag v${version}\n`)
    assert.strictEqual(shell(`${node} chunk nowhere.md --config ${config}`).status, 1)
  })
})
