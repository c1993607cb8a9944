import { catalogConformance } from "@omnirag/core/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { sqliteCatalog } from "../src/index.ts"

const folder = mkdtempSync(join(tmpdir(), "omnirag-catalog-"))
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

catalogConformance("sqlite", { layer: sqliteCatalog.build({}), folder })
