import { type Duration, Effect } from "effect"
import { createHash } from "node:crypto"
import { access, mkdir, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type FileFault, fileIo } from "../walk/fileFault.ts"
import { folderLock } from "./folderLock.ts"
import { GitError, runGit } from "./runGit.ts"

export interface CheckoutOptions {
  readonly name: string
  readonly url: string
  /** A branch, tag or commit id; the remote's default branch when undefined. */
  readonly ref: string | undefined
  /** Absolute path of the folder that holds the clones. */
  readonly cache: string
  readonly allowLocal: boolean
  readonly timeout: Duration.Duration
}

export interface Checkout {
  readonly root: string
  readonly revision: string
  /** Why the checkout is not the newest revision; undefined when it is. */
  readonly warning: string | undefined
}

/** Lock files of a git process that was killed; the folder lock makes sure that no git is running. */
const gitLocks = ["index.lock", "HEAD.lock", "shallow.lock", "config.lock"]

const exists = (path: string): Effect.Effect<boolean> =>
  Effect.match(
    fileIo(() => access(path)),
    { onFailure: () => false, onSuccess: () => true }
  )

const remove = (path: string) => fileIo(() => rm(path, { recursive: true, force: true }))

const unusable = (fault: FileFault) =>
  Effect.fail(new GitError({ message: `the folder of clones cannot be used: ${fault.reason}` }))

/**
 * Fetches a repository's newest revision into a folder of the cache and returns its commit id. Only that revision is
 * fetched, without submodules. The first clone is made in another folder and renamed when it is complete. When a fetch
 * fails and there is already a clone, the clone is restored to its own revision, which stays in use, with a warning.
 */
export const checkOut = Effect.fn("checkOut")(
  function* (options: CheckoutOptions) {
    const key = createHash("sha256")
      .update(`${options.url}\0${options.ref ?? ""}`)
      .digest("hex")
      .slice(0, 12)
    const root = join(options.cache, `${options.name}-${key}`)
    yield* fileIo(() => mkdir(options.cache, { recursive: true }))
    // a cache below a folder that is a source or a repository must not count as part of it
    yield* fileIo(() => writeFile(join(options.cache, ".gitignore"), "*\n"))

    const gitIn =
      (folder: string) =>
      (...args: ReadonlyArray<string>) =>
        runGit({ folder, args, allowLocal: options.allowLocal, timeout: options.timeout })
    const fetch = Effect.fnUntraced(function* (folder: string) {
      const git = gitIn(folder)
      yield* git(
        "fetch",
        "--quiet",
        "--depth=1",
        "--no-tags",
        "--no-recurse-submodules",
        "--force",
        "--",
        options.url,
        options.ref ?? "HEAD"
      )
      return yield* git("rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}")
    })
    const restore = Effect.fnUntraced(function* (folder: string, revision: string) {
      const git = gitIn(folder)
      yield* git("checkout", "--quiet", "--force", "--detach", revision)
      yield* git("clean", "--quiet", "-ffdx")
      return revision
    })

    const aside = `${root}.new`
    const clone = Effect.gen(function* () {
      yield* remove(aside)
      yield* fileIo(() => mkdir(aside))
      yield* gitIn(aside)("init", "--quiet", "--template=")
      const revision = yield* restore(aside, yield* fetch(aside))
      yield* remove(root)
      yield* fileIo(() => rename(aside, root))
      return { root, revision, warning: undefined }
    }).pipe(Effect.onError(() => Effect.ignore(remove(aside))))

    const head = gitIn(root)("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    const keep = Effect.fnUntraced(function* (reason: string) {
      const revision = yield* head
      const warning = `the source "${options.name}" stays at revision ${revision.slice(0, 12)}: ${reason}`
      return { root, revision, warning }
    })

    const update = Effect.gen(function* () {
      yield* Effect.forEach(gitLocks, (lock) => remove(join(root, ".git", lock)), { discard: true })
      const current = yield* head
      const fetched = yield* Effect.result(fetch(root))
      if (fetched._tag === "Success") {
        return { root, revision: yield* restore(root, fetched.success), warning: undefined }
      }
      yield* restore(root, current)
      return yield* keep(`it cannot be fetched: ${fetched.failure.message}`)
    })

    const hasClone = yield* exists(join(root, ".git"))
    return yield* Effect.gen(function* () {
      const lock = yield* Effect.result(Effect.catchTag(folderLock(`${root}.writer`), "FileFault", unusable))
      if (lock._tag === "Failure") return yield* hasClone ? keep(lock.failure.message) : lock.failure
      if (!hasClone) return yield* clone
      // a clone that git cannot use any more is the same as no clone
      return yield* Effect.catchTag(update, "GitError", () => clone)
    }).pipe(Effect.scoped)
  },
  Effect.catchTag("FileFault", unusable)
)
