import { Effect } from "effect"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** A folder of its own for a test, gone afterwards. Named so that no glob or skip rule meets it by chance. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "omnirag-test-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** Writes files, each with the folders above it. */
export const writeFiles = (folder: string, files: Readonly<Record<string, string | Uint8Array>>) =>
  Effect.promise(async () => {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
    }
  })
