/**
 * How long a short command takes from its start to its exit: `omnirag search` on a small index, with this checkout and,
 * when a folder is given, with another one in turns, so that both see the same load of the machine.
 *
 *     node bench/startup.ts [OTHER_CHECKOUT] [RUNS]
 *
 * Prints the quantiles in milliseconds, one line of JSON for each checkout.
 */
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { quantiles } from "./support/quantiles.ts"

const here = resolve(import.meta.dirname, "..")
const [other, runs = "15"] = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), "omnirag-startup-"))

/** A checkout with a small index of its own and the times measured so far, in milliseconds. */
const prepare = (checkout: string, name: string) => {
  const config = join(folder, `${name}.yaml`)
  const documents = join(folder, "documents")
  writeFileSync(
    config,
    `data: ${join(folder, name)}\nsources: [{ use: folder, options: { name: docs, path: ${documents} } }]\n`
  )
  const run = (args: ReadonlyArray<string>): number => {
    const started = performance.now()
    const { status, stderr } = spawnSync(
      process.execPath,
      ["apps/server/bin/omnirag.js", ...args, "--config", config],
      { cwd: checkout, encoding: "utf8" }
    )
    if (status !== 0) throw new Error(`omnirag ${args[0]} in ${checkout}: ${stderr}`)
    return performance.now() - started
  }
  const times: Array<number> = []
  return { name, times, index: () => run(["index"]), search: () => run(["search", "what is an embedder"]) }
}

try {
  cpSync(join(here, "docs"), join(folder, "documents"), { recursive: true })
  const checkouts = [
    prepare(here, "here"),
    ...(other === undefined ? [] : [prepare(resolve(other), "other")])
  ]
  for (const { index, search } of checkouts) {
    index()
    // fills the compile cache
    search()
  }
  for (let run = 0; run < Number(runs); run++) {
    for (const { search, times } of checkouts) times.push(search())
  }
  for (const { name, times } of checkouts) {
    console.log(
      JSON.stringify({ measured: "omnirag search", checkout: name, runs: times.length, ...quantiles(times) })
    )
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
