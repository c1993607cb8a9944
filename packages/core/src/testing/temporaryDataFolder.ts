import { afterAll } from "@effect/vitest"
import { Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DataFolder } from "../ports/DataFolder.ts"

/** A data folder for the tests of a file (or of the `describe` it is called in), removed after them. */
export const temporaryDataFolder = (): Layer.Layer<DataFolder> => {
  const path = mkdtempSync(join(tmpdir(), "omnirag-data-"))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  return Layer.succeed(DataFolder, { path, of: ({ id, index }) => join(path, index, id) })
}
