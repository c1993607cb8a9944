import { afterAll } from "@effect/vitest"
import { Layer } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DataFolder } from "../ports/DataFolder.ts"

/**
 * A data folder for the tests of a file (or of the `describe` it is called in), made when first used and removed after
 * them; `name` is a part of the folder's.
 */
export const temporaryDataFolder = (name: string): Layer.Layer<DataFolder> => {
  let made: string | undefined
  afterAll(() => {
    if (made !== undefined) rmSync(made, { recursive: true, force: true })
  })
  return Layer.sync(DataFolder, () => {
    const path = (made ??= mkdtempSync(join(tmpdir(), `omnirag-${name}-`)))
    return { path, of: ({ id, index }) => join(path, index, id) }
  })
}
