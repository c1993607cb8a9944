import { Effect } from "effect"
import { join } from "node:path"
import { type FileFault, fileIo } from "./fileFault.ts"
import { ignoredBy, type IgnoreRules, withIgnoreFile } from "./IgnoreRules.ts"
import { type FolderItem, listFolder } from "./listFolder.ts"
import { readContained } from "./readContained.ts"
import type { Selection } from "./Selection.ts"

const maxIgnoreBytes = 1_000_000

/** A folder with its items and the rules that apply there. */
export interface EnteredFolder {
  /** POSIX path below the root, empty for the root. */
  readonly folder: string
  readonly items: ReadonlyArray<FolderItem>
  readonly rules: IgnoreRules | undefined
  /** Why the `.gitignore` here could not be read. */
  readonly ignoreFault: string | undefined
}

/** The path of a name in a folder, below the root. */
export const below = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`)

/** Lists a folder and adds its `.gitignore` to the rules of the folders above. */
export const enterFolder = Effect.fnUntraced(function* (
  root: string,
  selection: Selection,
  folder: string,
  rules: IgnoreRules | undefined
): Effect.fn.Return<EnteredFolder, FileFault> {
  const items = yield* fileIo(() => listFolder(join(root, folder)))
  const entered: EnteredFolder = { folder, items, rules, ignoreFault: undefined }
  const hasIgnoreFile = items.some((item) => item.name === ".gitignore" && item.kind !== "folder")
  if (!selection.gitignore || !hasIgnoreFile) return entered
  const limits = { root, maxBytes: maxIgnoreBytes, isSkippedName: selection.isSkippedName }
  return yield* Effect.match(readContained(limits, below(folder, ".gitignore")), {
    onFailure: (refused) => ({ ...entered, ignoreFault: refused.reason }),
    onSuccess: (bytes) => ({
      ...entered,
      rules: withIgnoreFile(rules, folder, new TextDecoder().decode(bytes))
    })
  })
})

/** Why the rules exclude a path; undefined when they do not. The path of a folder ends with a slash. */
export const ignoreReason = (rules: IgnoreRules | undefined, path: string): string | undefined => {
  const file = ignoredBy(rules, path)
  return file === undefined ? undefined : `${file} ignores it`
}

/** Why a folder in an entered folder is left out; undefined when it is entered too. */
export const folderBar = (
  selection: Selection,
  rules: IgnoreRules | undefined,
  path: string
): string | undefined => {
  const name = path.slice(path.lastIndexOf("/") + 1)
  return selection.isSkippedName(name)
    ? `the option skipFolders has "${name}"`
    : (selection.excludesFolder(path) ?? ignoreReason(rules, `${path}/`))
}
