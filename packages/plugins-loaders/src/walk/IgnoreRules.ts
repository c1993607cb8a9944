import ignore, { type Ignore } from "ignore"

/** The rules of one `.gitignore` and of those in the folders above it. */
export interface IgnoreRules {
  /** POSIX path of the folder of the file, empty for the root. */
  readonly folder: string
  readonly own: Ignore
  readonly parent: IgnoreRules | undefined
}

/** Adds the text of the `.gitignore` in `folder` to the rules that hold there. */
export const withIgnoreFile = (
  parent: IgnoreRules | undefined,
  folder: string,
  text: string
): IgnoreRules => ({ folder, own: ignore({ ignorecase: false }).add(text), parent })

/**
 * Which `.gitignore` excludes a path; undefined when none does. As in git, the file nearest to the path decides. Every
 * folder above `path` must itself be included; `path` ends with a slash when it is a folder.
 */
export const ignoredBy = (rules: IgnoreRules | undefined, path: string): string | undefined => {
  for (let level = rules; level !== undefined; level = level.parent) {
    const below = level.folder === "" ? path : path.slice(level.folder.length + 1)
    const verdict = level.own.test(below)
    if (verdict.unignored) return undefined
    if (!verdict.ignored) continue
    // The library also says "ignored" because of a folder above. That folder was included by a nearer file's `!rule`.
    const slash = below.lastIndexOf("/", below.length - 2)
    if (slash !== -1 && level.own.test(below.slice(0, slash + 1)).ignored) continue
    return level.folder === "" ? ".gitignore" : `${level.folder}/.gitignore`
  }
  return undefined
}
