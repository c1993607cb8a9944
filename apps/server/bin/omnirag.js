#!/usr/bin/env node
// Starts the command line on a Node that can run TypeScript: this one, or the one that npm has installed beside the
// project. Plain JavaScript for old versions of Node.
import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { constants } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const oldest = 24
const main = new URL("../src/main.ts", import.meta.url)

const localNode = () => {
  try {
    return join(dirname(createRequire(import.meta.url).resolve("node/package.json")), "bin", "node")
  } catch {
    return null
  }
}

if (Number.parseInt(process.versions.node, 10) >= oldest) {
  await import(main.href)
} else {
  const node = localNode()
  const fail = () => {
    process.stderr.write(
      `error NODE_TOO_OLD: this is Node ${process.versions.node}, OmniRAG needs ${oldest}; run \`npm ci\` (or \`npm rebuild node\`) in the project, which installs it there\n`
    )
    process.exitCode = 1
  }
  if (node === null) fail()
  else {
    const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: "inherit" })
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
    child.on("error", fail)
    child.on("exit", (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
  }
}
