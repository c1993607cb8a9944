import { afterAll, assert, it } from "vitest"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { dataOf } from "@omnirag/testkit/graphqlClient"

const data = mkdtempSync(join(tmpdir(), "omnirag-demo-"))
// in a process group of its own, as in a terminal: Ctrl-C goes to npm and to the server
const demo = spawn("npm", ["run", "demo"], {
  detached: true,
  env: { ...process.env, OMNIRAG_DATA: data, OMNIRAG_PORT: "0" }
})
const ended = new Promise<void>((settle) => demo.on("close", () => settle()))
let said = ""

const ready = new Promise<void>((settle, refuse) => {
  demo.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text
    if (said.includes("Stop with Ctrl-C.")) settle()
  })
  demo.on("close", () => refuse(new Error(said)))
})
/** Resolves when npm and the server have gone: both hold the pipes. */
const interrupt = (): Promise<void> => {
  const going = demo.exitCode === null && demo.signalCode === null
  if (demo.pid !== undefined && going) process.kill(-demo.pid, "SIGINT")
  return ended
}
afterAll(async () => {
  await interrupt()
  rmSync(data, { recursive: true })
})

it("`npm run demo` indexes, shows an answer that is right, and prints a query that gives it; Ctrl-C ends it", async () => {
  await ready
  assert.match(said, /^succeeded: \d+ files/m)
  const [, url = ""] = /^GraphQL is at (\S+)$/m.exec(said) ?? []
  const [, query = ""] = /paste:\n\n +(\{.+\})\n/.exec(said) ?? []
  const { ask } = await dataOf(url, query)
  assert.include(said, ask.text)
  assert.include(ask.text, "Leaving stops the work")
  assert.include(
    ask.citations.map(({ path }: { readonly path: string }) => path),
    "docs/api.md"
  )
  await interrupt()
})
