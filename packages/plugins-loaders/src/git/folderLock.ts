import { Effect, type Scope } from "effect"
import { DatabaseSync } from "node:sqlite"
import { FileFault } from "../walk/fileFault.ts"
import { GitError } from "./runGit.ts"

/** SQLite's code for a lock that somebody else holds, and for a file that is no database. */
const busy = 5
const foreign = 26

const isCode = (cause: unknown, code: number): boolean =>
  cause instanceof Error && "errcode" in cause && cause.errcode === code

/**
 * Keeps other processes from the folder beside `file` for the length of the scope. The lock is an open write transaction
 * on a small database: the system frees it with the process, however that ends, and no process number has to be trusted,
 * which another program may have by then.
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
            ? new GitError({ message: `${file} is no lock of this program; remove it` })
            : new FileFault({ cause })
    })
  const database = yield* Effect.acquireRelease(
    attempt(() => new DatabaseSync(file, { timeout: 0 })),
    (open) => Effect.sync(() => open.close())
  )
  yield* attempt(() => database.exec("BEGIN IMMEDIATE"))
})
