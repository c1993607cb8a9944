import { Effect, type Scope } from "effect"
import { DatabaseSync } from "node:sqlite"
import { FileFault } from "../walk/fileFault.ts"
import { GitError } from "./runGit.ts"

/** SQLite's codes for a lock that another process holds, and for a file that is not a database. */
const busy = 5
const foreign = 26

const isCode = (cause: unknown, code: number): boolean =>
  cause instanceof Error && "errcode" in cause && cause.errcode === code

/**
 * Keeps other processes from using the folder next to `file` until the scope ends. The lock is an open write
 * transaction on a small database: the operating system releases it when the process ends, however that happens. So it
 * does not depend on a process number, which another program may have later.
 */
export const folderLock = Effect.fnUntraced(function* (
  file: string
): Effect.fn.Return<void, GitError | FileFault, Scope.Scope> {
  const attempt = <A>(body: () => A) =>
    Effect.try({
      try: body,
      catch: (cause) =>
        isCode(cause, busy)
          ? new GitError({ message: `another process is using the clone (${file})` })
          : isCode(cause, foreign)
            ? new GitError({ message: `${file} is not a lock of this program; remove it` })
            : new FileFault({ cause })
    })
  const database = yield* Effect.acquireRelease(
    attempt(() => new DatabaseSync(file, { timeout: 0 })),
    (open) => Effect.sync(() => open.close())
  )
  yield* attempt(() => database.exec("BEGIN IMMEDIATE"))
})
