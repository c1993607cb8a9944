import { Effect, type Scope } from "effect"
import { open, readFile, rm } from "node:fs/promises"
import { fileIo, type FileFault } from "../walk/fileFault.ts"
import { GitError } from "./runGit.ts"

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}

const create = (file: string) =>
  fileIo(async () => {
    const handle = await open(file, "wx")
    try {
      await handle.writeFile(String(process.pid))
    } finally {
      await handle.close()
    }
  })

/**
 * Keeps other processes from the folder beside `file` for the length of the scope. A lock of a process that is dead, or
 * of an earlier life of this one, is taken over.
 */
export const folderLock = Effect.fnUntraced(function* (
  file: string
): Effect.fn.Return<void, GitError | FileFault, Scope.Scope> {
  const takeOver = Effect.fnUntraced(function* (fault: FileFault) {
    if (fault.code !== "EEXIST") return yield* fault
    const holder = Number(yield* fileIo(() => readFile(file, "utf8")))
    if (holder !== process.pid && Number.isInteger(holder) && holder > 0 && isAlive(holder)) {
      return yield* new GitError({ message: `process ${holder} is using the clone (${file})` })
    }
    yield* fileIo(() => rm(file, { force: true }))
    return yield* create(file)
  })
  yield* Effect.acquireRelease(create(file).pipe(Effect.catchTag("FileFault", takeOver)), () =>
    Effect.ignore(fileIo(() => rm(file, { force: true })))
  )
})
