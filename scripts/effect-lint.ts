import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"

/** Runs the type check with Effect's own rules, where its binary exists for this platform. */
const binary = "node_modules/@effect/tsgo-linux-x64/lib/tsc"
if (!existsSync(binary)) {
  console.log(`effect-lint: skipped, ${binary} is not installed on ${process.platform}-${process.arch}`)
} else {
  const { status } = spawnSync(binary, ["-p", "tsconfig.json"], { stdio: "inherit" })
  process.exit(status ?? 1)
}
