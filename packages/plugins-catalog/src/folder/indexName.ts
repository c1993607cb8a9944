import { Effect, FileSystem, Path } from "effect"
import { randomBytes } from "node:crypto"
import { alreadyExists, isMissing } from "./folderFailure.ts"
import { syncFolder, temporaryBeside, writeDurably } from "./replaceFile.ts"

/** The file with the name of the index. */
export const identityFile = "INDEX_ID"

const isIdentity = (text: string): boolean => /^[0-9a-f]{8}$/.test(text)

/**
 * The random name of the index in this folder, made when there is none: two indexes never share a collection of one
 * vector store. Of several processes that begin at once, the first to link its name has named the index for all.
 */
export const nameIndex = Effect.fnUntraced(function* (root: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(root, identityFile)
  const read = fs.readFileString(file).pipe(
    Effect.map((text) => text.trim()),
    Effect.catchIf(isMissing, () => Effect.succeed(null))
  )

  const before = yield* read
  if (before !== null && isIdentity(before)) return before
  yield* fs.makeDirectory(root, { recursive: true })
  // a name is linked when it is whole, so one that is torn was damaged: it is lost
  if (before !== null) yield* fs.remove(file, { force: true })
  const own = randomBytes(4).toString("hex")
  const temporary = temporaryBeside(file)
  yield* writeDurably(temporary, [new TextEncoder().encode(`${own}\n`)]).pipe(
    Effect.andThen(fs.link(temporary, file)),
    // another process was first
    Effect.catchIf(alreadyExists, () => Effect.void),
    Effect.ensuring(Effect.ignore(fs.remove(temporary, { force: true })))
  )
  yield* syncFolder(root)
  return (yield* read) ?? own
})
