import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"

/** The folder with the public corpora and evaluation sets; OMNIRAG_TEST_DATA names another. */
export const dataFolder =
  process.env["OMNIRAG_TEST_DATA"] ?? resolve(import.meta.dirname, "../../../shared/data")

/** Says so and stops when the data is not there. */
export const requireData = (): void => {
  if (existsSync(dataFolder)) return
  console.error(`the data folder ${dataFolder} is not there; name it in OMNIRAG_TEST_DATA`)
  process.exit(1)
}

/** Unpacks a tarball of the data folder once, outside of the project; returns the folder. */
export const unpacked = (name: string): string => {
  const folder = join(tmpdir(), "omnirag-bench", name)
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true })
    execFileSync("tar", ["xzf", join(dataFolder, `${name}.tar.gz`), "-C", folder, "--strip-components=1"])
  }
  return folder
}
