import type { SourceEntry, SourceFile } from "@omnirag/core/app"
import { assert } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import { compileSelection, selectionOptions } from "../src/walk/Selection.ts"
import { walkFolder } from "../src/walk/walkFolder.ts"

/** The selection of these options, the rest at their defaults. */
export const select = (options: unknown = {}, gitignore = true) =>
  compileSelection({ ...Schema.decodeUnknownSync(Schema.Struct(selectionOptions))(options), gitignore })

/** All entries of a walk. */
export const walk = (root: string, options?: unknown, gitignore?: boolean) =>
  Stream.runCollect(walkFolder("s", root, select(options, gitignore)))

/** The paths of the files among the entries, in their order. */
export const files = (entries: ReadonlyArray<SourceEntry>) =>
  entries.filter((entry) => entry._tag === "File").map((entry) => entry.path)

/** The reason of each skipped path. */
export const skips = (entries: ReadonlyArray<SourceEntry>) =>
  Object.fromEntries(entries.flatMap((entry) => (entry._tag === "Skip" ? [[entry.path, entry.reason]] : [])))

/** The file at a path; fails the test when there is none. */
export const fileAt = (entries: ReadonlyArray<SourceEntry>, path: string): SourceFile => {
  const found = entries.find((entry) => entry.path === path)
  assert(found?._tag === "File", `${path} is no file of the walk`)
  return found
}

/** The content of a file as text. */
export const readText = (file: SourceFile) =>
  Effect.map(file.read, (bytes) => new TextDecoder().decode(bytes))
