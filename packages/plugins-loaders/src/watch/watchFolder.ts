import { SourceError } from "@omnirag/core/plugin"
import { Effect, Queue, Stream } from "effect"
import { lstat, realpath } from "node:fs/promises"
import { join } from "node:path"
import { below, enterFolder, folderBar } from "../walk/enterFolder.ts"
import { FileFault, fileIo } from "../walk/fileFault.ts"
import type { IgnoreRules } from "../walk/IgnoreRules.ts"
import type { Selection } from "../walk/Selection.ts"
import { type FolderEvent, FolderWatchers } from "./FolderWatchers.ts"

/**
 * Emits when the files that a walk of `root` would list may have changed; see `Source.changes`. Watches each folder
 * that a walk enters, with the operating system's notices, so folders with files of tools cost nothing. Events are
 * merged while the reader is busy. Fails when the root does not exist any more, or when the system's limit of watched
 * folders is reached.
 */
export const watchFolder = (
  source: string,
  root: string,
  selection: Selection
): Stream.Stream<void, SourceError> =>
  Stream.callback<void, SourceError>(
    (changes) =>
      watching(root, selection, () => Queue.offerUnsafe(changes, undefined)).pipe(
        Effect.mapError(
          (fault) =>
            new SourceError({
              source,
              message: `the folder ${root} of the source "${source}": ${reasonOf(fault)}`
            })
        ),
        Effect.catch((error) => Queue.fail(changes, error))
      ),
    { bufferSize: 1, strategy: "sliding" }
  )

const reasonOf = (fault: FileFault): string =>
  fault.code === "ENOSPC" || fault.code === "EMFILE"
    ? `the system allows no more watched folders (${fault.code}); raise fs.inotify.max_user_watches and ` +
      "max_user_instances, or index by a schedule instead of watching"
    : fault.reason

const watching = Effect.fnUntraced(function* (root: string, selection: Selection, changed: () => void) {
  const real = yield* fileIo(() => realpath(root))
  const events = yield* Queue.unbounded<FolderEvent>()
  const watchers = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new FolderWatchers(real, (event) => {
          const path = event.name === null ? undefined : below(event.folder, event.name)
          if (path !== undefined && selection.includes(path)) changed()
          // a name that was added or removed may be that of a folder
          if (event.renamed || event.name === ".gitignore") Queue.offerUnsafe(events, event)
        })
    ),
    (all) => Effect.sync(() => all.remove(""))
  )

  /** Watches a folder and those below it; the walk reports one that was removed meanwhile or may not be read. */
  const watchTree = Effect.fnUntraced(function* (
    first: string,
    rules: IgnoreRules | undefined
  ): Effect.fn.Return<void, FileFault> {
    const pending = [{ folder: first, rules }]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { folder, rules } = next
      // watched before it is listed: a change in between is listed, noticed, or both
      const entered = yield* Effect.try({
        try: () => watchers.add(folder, rules),
        catch: (cause) => new FileFault({ cause })
      }).pipe(
        Effect.andThen(enterFolder(real, selection, folder, rules)),
        Effect.catch((fault) => (isPassing(fault) && folder !== "" ? Effect.undefined : fault))
      )
      if (entered === undefined) {
        watchers.remove(folder)
        continue
      }
      for (const item of entered.items) {
        const path = below(folder, item.name)
        if (item.kind === "folder" && folderBar(selection, entered.rules, path) === undefined)
          pending.push({ folder: path, rules: entered.rules })
      }
    }
  })

  /** Watches a folder again: it may be another folder with the same name, or have other rules. */
  const renew = Effect.fnUntraced(function* (folder: string) {
    const rules = watchers.rulesAbove(folder)
    watchers.remove(folder)
    yield* watchTree(folder, rules)
    changed()
  })

  const examine = Effect.fnUntraced(function* ({ folder, name }: FolderEvent) {
    if (!watchers.has(folder)) return
    if (name === null || name === ".gitignore") return yield* renew(folder)
    const path = below(folder, name)
    const isFolder = yield* fileIo(() => lstat(join(real, path))).pipe(
      Effect.match({ onFailure: () => false, onSuccess: (found) => found.isDirectory() })
    )
    if (isFolder || watchers.has(path)) {
      watchers.remove(path)
      // the folder's own rules decide about its content, so its parent is watched again
      return yield* isFolder ? renewChild(folder, path) : Effect.sync(changed)
    }
    // the removal of the root comes as an event about its own name
    yield* fileIo(() => lstat(real))
  })

  const renewChild = Effect.fnUntraced(function* (folder: string, path: string) {
    const entered = yield* Effect.result(enterFolder(real, selection, folder, watchers.rulesAbove(folder)))
    if (entered._tag === "Success" && folderBar(selection, entered.success.rules, path) === undefined) {
      yield* watchTree(path, entered.success.rules)
    }
    changed()
  })

  yield* watchTree("", undefined)
  changed()
  return yield* Effect.forever(Effect.flatMap(Queue.take(events), examine))
})

/** A fault of one folder, not of watching as a whole. */
const isPassing = (fault: FileFault): boolean =>
  fault.isGone || fault.code === "EACCES" || fault.code === "EPERM"
