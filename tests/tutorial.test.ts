import { afterAll, assert, describe, it } from "vitest"
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

interface Example {
  readonly line: number
  readonly kind: "tested" | "served"
  readonly script: string
  /** What the tutorial shows below it; undefined when it shows nothing. */
  readonly expected: string | undefined
}

/** The fenced blocks `sh tested` and `sh served`, each with the block `text` that follows it. */
const examplesOf = (markdown: string): ReadonlyArray<Example> => {
  const blocks = Array.from(markdown.matchAll(/^```(\w+) ?(\w*)\n(.*?)^```$/gms), (match) => ({
    line: markdown.slice(0, match.index).split("\n").length,
    language: match[1],
    mark: match[2],
    text: match[3] ?? ""
  }))
  return blocks.flatMap(({ line, language, mark, text }, index) => {
    if (language !== "sh" || (mark !== "tested" && mark !== "served")) return []
    const next = blocks[index + 1]
    return [{ line, kind: mark, script: text, expected: next?.language === "text" ? next.text : undefined }]
  })
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")

/** `…` stands for anything within a line, a line of it for any number of lines. */
const toPattern = (expected: string): RegExp => {
  const lines = expected
    .trimEnd()
    .split("\n")
    .map((line) => (line === "…" ? "(?:.*\\n)*?" : `${line.split("…").map(escaped).join(".*")}\\n`))
  return new RegExp(`^${lines.join("")}$`)
}

describe("the tutorial", () => {
  const home = mkdtempSync(join(tmpdir(), "omnirag-tutorial-"))
  let port = "8082"
  const environment = {
    ...process.env,
    HOME: home,
    HANDBOOK: join(home, "handbook"),
    npm_config_update_notifier: "false",
    OMNIRAG_PORT: "0"
  }
  let stop = async (): Promise<void> => {}
  afterAll(async () => {
    await stop()
    rmSync(home, { recursive: true })
  })

  /** In a process group of its own, as in a terminal: Ctrl-C goes to npx and to the server. */
  const serve = (script: string): Promise<string> =>
    new Promise((settle, refuse) => {
      const child = spawn("bash", ["-c", script], { env: environment, detached: true })
      const ended = new Promise<void>((end) => child.on("close", () => end()))
      stop = async () => {
        const going = child.exitCode === null && child.signalCode === null
        if (child.pid !== undefined && going) process.kill(-child.pid, "SIGINT")
        await ended
      }
      let said = ""
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        said += text
        const found = /GraphQL is at http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1]
        if (found !== undefined) settle(found)
      })
      child.on("close", () => refuse(new Error(said)))
    })

  const examples = examplesOf(readFileSync("docs/tutorial/README.md", "utf8"))
  it("has examples, with a server among them", () => {
    assert.isAbove(examples.filter(({ expected }) => expected !== undefined).length, 8)
    assert.strictEqual(examples.filter(({ kind }) => kind === "served").length, 1)
  })

  for (const { line, kind, script, expected } of examples) {
    const title = script.split("\n").find((text) => text !== "") ?? ""
    it(`line ${line}: ${title.slice(0, 60)}`, async () => {
      if (kind === "served") {
        port = await serve(script)
        return
      }
      const { status, stdout, stderr } = spawnSync(
        "bash",
        ["-euo", "pipefail", "-c", script.replaceAll("127.0.0.1:8082", `127.0.0.1:${port}`)],
        { encoding: "utf8", env: environment }
      )
      assert.strictEqual(status, 0, stderr)
      if (expected === undefined) return
      const matches = toPattern(expected).test(stdout.endsWith("\n") ? stdout : `${stdout}\n`)
      assert.isTrue(matches, `the tutorial shows\n${expected}\nbut it is\n${stdout}`)
    })
  }
})
