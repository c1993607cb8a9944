#!/usr/bin/env node
// Starts the command line on a Node that can run TypeScript: this one, or the one that npm has installed with the
// project. Plain JavaScript for old versions of Node.
import { spawn } from "node:child_process"
import module from "node:module"
import { constants } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const oldest = 24
const main = new URL("../src/main.ts", import.meta.url)

const installedNode = () => {
  try {
    return join(dirname(module.createRequire(import.meta.url).resolve("node/package.json")), "bin", "node")
  } catch {
    return undefined
  }
}

const refuse = () => {
  process.stderr.write(
    `error NODE_TOO_OLD: this is Node ${process.versions.node}, OmniRAG needs ${oldest}; run \`npm ci\` (or \`npm rebuild node\`) in the project, which installs it there\n`
  )
  process.exitCode = 1
}

const handOver = (node) => {
  const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: "inherit" })
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
  child.on("error", refuse)
  child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

if (Number.parseInt(process.versions.node, 10) >= oldest) {
  // starts in two thirds of the time: stripped and compiled modules are kept for the next time
  module.enableCompileCache()
  await import(main.href)
} else {
  const node = installedNode()
  if (node === undefined) refuse()
  else handOver(node)
}
