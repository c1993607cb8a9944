import { ChunkFilter } from "@omnirag/core/plugin"
import { Effect, Schema } from "effect"

/** Folders with files of tools and never documents: left out without a report. */
const quietFolders: ReadonlySet<string> = new Set([
  ".git",
  "__pycache__",
  "node_modules",
  ".venv",
  "venv",
  ".pytest_cache"
])

const globs = Schema.Array(Schema.NonEmptyString)
const defaultInclude: ReadonlyArray<string> = ["**/*.md", "**/*.markdown", "**/*.mdx", "**/*.txt"]
const defaultSkipFolders: ReadonlyArray<string> = [...quietFolders, "obsolete", "work"]

/** The options that all sources made of files share: which files become documents. */
export const selectionOptions = {
  include: globs.pipe(Schema.withDecodingDefaultKey(Effect.succeed(defaultInclude))).annotate({
    description:
      "Globs of the files to index, on the path below the root; the ending may be in upper or lower case"
  }),
  exclude: globs.pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))).annotate({
    description: "Globs of files to leave out although `include` names them; `folder/**` leaves out a folder"
  }),
  skipFolders: globs.pipe(Schema.withDecodingDefaultKey(Effect.succeed(defaultSkipFolders))).annotate({
    description: "Names of folders that are never entered, at any depth"
  }),
  maxBytes: Schema.Int.pipe(
    Schema.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000_000 })),
    Schema.withDecodingDefaultKey(Effect.succeed(20 * 1024 * 1024))
  ).annotate({ description: "Larger files are reported and left out" })
}

const SelectionOptions = Schema.Struct(selectionOptions)

/** `gitignore` is absent for a git checkout: tracked files are there on purpose. */
export type SelectionOptions = typeof SelectionOptions.Type & { readonly gitignore: boolean }

/** Which files and folders a walk includes. All paths are POSIX paths below the root. */
export interface Selection {
  readonly includes: (path: string) => boolean
  /** Why a file is left out; undefined when it is not. */
  readonly excludesFile: (path: string) => string | undefined
  /** Why a folder is not entered; undefined when it is. */
  readonly excludesFolder: (path: string) => string | undefined
  readonly isSkippedName: (name: string) => boolean
  /** Whether a skipped folder is left out without a report. */
  readonly isQuietName: (name: string) => boolean
  readonly gitignore: boolean
  readonly maxBytes: number
}

const lowerEnding = (path: string): string => {
  const dot = path.lastIndexOf(".")
  return dot > path.lastIndexOf("/") ? path.slice(0, dot) + path.slice(dot).toLowerCase() : path
}

interface Glob {
  readonly text: string
  readonly matches: (path: string) => boolean
}

const compile = (text: string): Glob => {
  const matches = ChunkFilter.globMatcher(text.replace(/^(?:\.?\/)+/, ""))
  return { text, matches: (path) => matches(path) || matches(lowerEnding(path)) }
}

/** Compiles the options of a source once. */
export const compileSelection = (options: SelectionOptions): Selection => {
  const include = options.include.map(compile)
  const exclude = options.exclude.map(compile)
  // only a glob that matches everything below a folder allows the walk to leave out the whole folder
  const excludeFolders = exclude.filter((glob) => glob.text.endsWith("/**"))
  const skipped = new Set(options.skipFolders)
  const isSkippedName = (name: string) => name === ".git" || skipped.has(name)
  const reason = (glob: Glob | undefined) =>
    glob === undefined ? undefined : `the option exclude has "${glob.text}"`
  return {
    includes: (path) => include.some((glob) => glob.matches(path)),
    excludesFile: (path) => reason(exclude.find((glob) => glob.matches(path))),
    excludesFolder: (path) => reason(excludeFolders.find((glob) => glob.matches(path))),
    isSkippedName,
    isQuietName: (name) => quietFolders.has(name) && isSkippedName(name),
    gitignore: options.gitignore,
    maxBytes: options.maxBytes
  }
}
