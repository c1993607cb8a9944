import { type SourceEntry, SourceError } from "@omnirag/core/plugin"
import { Effect, Option, Stream } from "effect"
import { realpath } from "node:fs/promises"
import { examineFile, examineLink, skip, skipFault } from "./examineFile.ts"
import { below, type EnteredFolder, enterFolder, folderBar, ignoreReason } from "./enterFolder.ts"
import { type FileFault, fileIo } from "./fileFault.ts"
import type { IgnoreRules } from "./IgnoreRules.ts"
import type { FolderItem } from "./listFolder.ts"
import type { Selection } from "./Selection.ts"

/** A folder that is being walked, with the number of its items that are done. */
interface Frame extends EnteredFolder {
  next: number
}

const batchSize = 64
const statConcurrency = 16

/**
 * All files below `root` that the selection includes, lazily and in the order of the UTF-16 code units of their paths;
 * each file that is left out is a `Skip` with the reason, and so is each folder that is not entered (its path ends with
 * a slash), except for folders of tools such as `.git` and `node_modules`. Links to files are followed inside the root;
 * links to folders are not. A file or folder that cannot be read is reported and the walk continues; only a root that
 * cannot be listed, or that does not exist at the end, is an error.
 */
export const walkFolder = (
  source: string,
  root: string,
  selection: Selection
): Stream.Stream<SourceEntry, SourceError> => {
  const resolveRoot = fileIo(() => realpath(root)).pipe(
    Effect.mapError((fault) => rootError(source, root, fault))
  )
  return Stream.unwrap(
    Effect.gen(function* () {
      const real = yield* resolveRoot
      const { enter, step } = makeWalk(real, selection)
      const first = yield* Effect.mapError(enter("", undefined), (fault) => rootError(source, root, fault))
      // when a disk is unmounted during a walk, its files must not count as deleted
      const isStillThere = Stream.fromEffectDrain(resolveRoot)
      return Stream.concat(Stream.paginate([first], step), isStillThere)
    })
  )
}

const rootError = (source: string, root: string, fault: FileFault) =>
  new SourceError({ source, message: `the folder ${root} of the source "${source}": ${fault.reason}` })

const makeWalk = (root: string, selection: Selection) => {
  const containment = { root, maxBytes: selection.maxBytes, isSkippedName: selection.isSkippedName }

  /** Undefined when the file is not wanted: for most names this is known without reading the disk. */
  const examine = (item: FolderItem, frame: Frame): Effect.Effect<SourceEntry | undefined> | undefined => {
    const path = below(frame.folder, item.name)
    if (frame.ignoreFault !== undefined && item.name === ".gitignore")
      return Effect.succeed(skip(path, `its rules do not count: ${frame.ignoreFault}`))
    const wanted = selection.includes(path) || item.kind === "unnamedFolder"
    if (!wanted && item.kind !== "link") return undefined
    const reason = selection.excludesFile(path) ?? ignoreReason(frame.rules, path)
    if (reason !== undefined) return wanted ? Effect.succeed(skip(path, reason)) : undefined
    return wanted ? examineFile(containment, item.kind, path) : examineLink(containment, path, false)
  }

  const enter = (folder: string, rules: IgnoreRules | undefined) =>
    Effect.map(enterFolder(root, selection, folder, rules), (entered): Frame => ({ ...entered, next: 0 }))

  /** Reads the next files of the deepest folder, or enters its next folder. */
  const step = Effect.fnUntraced(function* (
    frames: Array<Frame>
  ): Effect.fn.Return<readonly [ReadonlyArray<SourceEntry>, Option.Option<Array<Frame>>]> {
    const frame = frames.at(-1)
    if (frame === undefined) return [[], Option.none()]
    const batch: Array<Effect.Effect<SourceEntry | undefined>> = []
    let item = frame.items[frame.next]
    while (item !== undefined && item.kind !== "folder" && batch.length < batchSize) {
      const examined = examine(item, frame)
      if (examined !== undefined) batch.push(examined)
      item = frame.items[++frame.next]
    }
    if (batch.length > 0) {
      const entries = yield* Effect.all(batch, { concurrency: statConcurrency })
      return [entries.filter((entry) => entry !== undefined), Option.some(frames)]
    }
    if (item === undefined) {
      frames.pop()
      return [[], Option.some(frames)]
    }
    frame.next += 1
    const path = below(frame.folder, item.name)
    const bar = folderBar(selection, frame.rules, path)
    if (bar !== undefined) {
      return [selection.isQuietName(item.name) ? [] : [skip(`${path}/`, bar)], Option.some(frames)]
    }
    const entered = yield* Effect.result(enter(path, frame.rules))
    if (entered._tag === "Failure") return [[skipFault(`${path}/`, entered.failure)], Option.some(frames)]
    frames.push(entered.success)
    return [[], Option.some(frames)]
  })

  return { enter, step }
}
