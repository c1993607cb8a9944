import { Effect, FileSystem, Path } from "effect"
import { randomBytes } from "node:crypto"

/** Makes what was renamed, linked or removed in a folder durable. */
export const syncFolder = Effect.fnUntraced(function* (folder: string) {
  // a folder cannot be opened for syncing on Windows, where renames are durable by themselves
  if (process.platform === "win32") return
  const fs = yield* FileSystem.FileSystem
  yield* Effect.scoped(Effect.flatMap(fs.open(folder, { flag: "r" }), ({ sync }) => sync))
})

/** Writes the parts one after the other and has them on the disk; a file that is there is replaced in place. */
export const writeDurably = Effect.fnUntraced(function* (file: string, parts: ReadonlyArray<Uint8Array>) {
  const fs = yield* FileSystem.FileSystem
  yield* Effect.scoped(
    Effect.gen(function* () {
      const opened = yield* fs.open(file, { flag: "w" })
      yield* Effect.forEach(parts, (part) => opened.writeAll(part), { discard: true })
      yield* opened.sync
    })
  )
})

/** A name beside the file that nobody else uses. */
export const temporaryBeside = (file: string): string => `${file}.${randomBytes(4).toString("hex")}.new`

/**
 * Replaces a file in one step: a reader, or a crash, meets the old bytes or the new ones. What is new is durable when this
 * returns. The parts are written as they are, without a copy.
 */
export const replaceFile = Effect.fnUntraced(function* (file: string, parts: ReadonlyArray<Uint8Array>) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const temporary = temporaryBeside(file)
  yield* Effect.andThen(writeDurably(temporary, parts), fs.rename(temporary, file)).pipe(
    Effect.onError(() => Effect.ignore(fs.remove(temporary, { force: true })))
  )
  yield* syncFolder(path.dirname(file))
})
