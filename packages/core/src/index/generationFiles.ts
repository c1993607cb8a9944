import { Effect, FileSystem, Option, Path } from "effect"
import { randomBytes } from "node:crypto"
import { CatalogError, IndexCorrupt } from "../domain/errors.ts"

/** The name of the generation with this number. */
export const generationId = (number: number): string => `g-${String(number).padStart(6, "0")}`
export const generationNumber = (id: string): number => Number(id.slice(2))
const isGeneration = (name: string): boolean => /^g-\d{6,}$/.test(name)

const isIdentity = (text: string): boolean => /^[0-9a-f]{8}$/.test(text)

/** What to do when a part of the index cannot be trusted any more. */
export const rebuildHint = "Run `omnirag index --rebuild` to build the index anew"

const fileFault = (operation: string) =>
  Effect.mapError(
    (cause: { readonly message: string }) =>
      new CatalogError({
        operation,
        message: `the data folder cannot be used: ${cause.message}`,
        cause
      })
  )

/**
 * The data folder: a folder for each generation, the file `CURRENT` with the id of the one in use, and the file
 * `INDEX_ID` with a random name, so that two indexes never share a collection of one vector store.
 */
export const makeGenerationFiles = Effect.fnUntraced(function* (data: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const root = path.resolve(data)
  const pointer = path.join(root, "CURRENT")
  yield* fs.makeDirectory(root, { recursive: true }).pipe(fileFault("create the data folder"))

  const identityFile = path.join(root, "INDEX_ID")
  const readIdentity = fs.readFileString(identityFile).pipe(
    Effect.map((text) => text.trim()),
    Effect.catchIf(
      (error) => error.reason._tag === "NotFound",
      () => Effect.succeed("")
    )
  )
  /** Of several processes that begin at once, the first to link its name has named the index for all. */
  const nameIndex = Effect.gen(function* () {
    if (isIdentity(yield* readIdentity)) return
    const temporary = `${identityFile}.${process.pid}`
    yield* fs.remove(identityFile, { force: true })
    yield* fs.writeFileString(temporary, `${randomBytes(4).toString("hex")}\n`)
    yield* Effect.ignore(fs.link(temporary, identityFile))
    yield* fs.remove(temporary)
  })
  yield* nameIndex.pipe(fileFault("name the index"))
  const identity = yield* readIdentity.pipe(fileFault("read INDEX_ID"))

  const folderOf = (id: string): string => path.join(root, id)

  /** Ids of the generations on disk, oldest first. */
  const list = fs.readDirectory(root).pipe(
    Effect.map((names) => names.filter(isGeneration).toSorted()),
    fileFault("list generations")
  )

  /** Makes `CURRENT` name another generation, atomically and durably. */
  const writeCurrent = Effect.fnUntraced(function* (id: string) {
    const temporary = `${pointer}.new`
    yield* Effect.scoped(
      Effect.gen(function* () {
        const file = yield* fs.open(temporary, { flag: "w" })
        yield* file.writeAll(new TextEncoder().encode(`${id}\n`))
        yield* file.sync
      })
    )
    yield* fs.rename(temporary, pointer)
    // the new name is on the disk when the folder is
    yield* Effect.scoped(Effect.flatMap(fs.open(root, { flag: "r" }), (folder) => folder.sync))
  }, fileFault("write CURRENT"))

  const readCurrent = fs.readFileString(pointer).pipe(
    Effect.map((text) => Option.some(text.trim())),
    Effect.catchIf(
      (error) => error.reason._tag === "NotFound",
      () => Effect.succeed(Option.none<string>())
    ),
    fileFault("read CURRENT")
  )

  /** The id in `CURRENT`; none in a folder without an index. A torn `CURRENT` is mended when only one can be meant. */
  const current = Effect.gen(function* () {
    const text = yield* readCurrent
    if (Option.isSome(text) && isGeneration(text.value)) return text
    const there = yield* list
    const [only] = there
    if (only === undefined) return Option.none<string>()
    const fault = Option.isNone(text) ? "is missing" : "does not name a generation"
    if (there.length > 1) {
      return yield* new IndexCorrupt({
        file: "CURRENT",
        reason: `it ${fault}, and there are ${there.join(" and ")}`,
        repair: `Write the name of the right one into it, or run \`omnirag index --rebuild\` to build the index anew`
      })
    }
    yield* Effect.logWarning(`the file CURRENT ${fault}; ${only} is the only generation and is taken`)
    yield* writeCurrent(only)
    return Option.some(only)
  })

  return {
    root,
    identity,
    folderOf,
    /** What the catalog of a generation says of itself: neither another generation nor another index has the same. */
    nameOf: (id: string): string => `${identity}/${id}`,
    list,
    current,
    writeCurrent,
    exists: (id: string) => fs.exists(folderOf(id)).pipe(fileFault("look for a generation")),
    make: (id: string) =>
      fs.makeDirectory(folderOf(id), { recursive: true }).pipe(fileFault("create the generation's folder")),
    remove: (id: string) =>
      fs.remove(folderOf(id), { recursive: true, force: true }).pipe(fileFault("remove a generation"))
  }
})
export type GenerationFiles = Effect.Success<ReturnType<typeof makeGenerationFiles>>
