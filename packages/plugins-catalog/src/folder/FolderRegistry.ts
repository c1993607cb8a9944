import { type CatalogError, DataFolder, type GenerationRegistry, IndexCorrupt } from "@omnirag/core/plugin"
import { Effect, FileSystem, Option, Path } from "effect"
import { alreadyExists, folderFailure, isMissing } from "./folderFailure.ts"
import { identityFile, nameIndex } from "./indexName.ts"
import { replaceFile } from "./replaceFile.ts"
import { lockFile, takeWriteLock } from "./writeLock.ts"

/** The file that names the live generation. */
const pointerFile = "CURRENT"

/** Stands in the folder of a generation from its making until it is promoted: it can never be the live one before. */
const unfinishedMark = "UNFINISHED"

const isGeneration = (name: string): boolean => /^g-\d{6,}$/.test(name)
const numberOf = (id: string): number => Number(id.slice(2))

/**
 * The registry in a data folder: a folder for each generation, the file `CURRENT` with the id of the live one, `INDEX_ID`
 * with the name of the index, and the lock. Changes by other processes are not announced, so it is asked.
 */
export const makeFolderRegistry = (name: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const services = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const root = path.resolve((yield* DataFolder).path)
    const pointer = path.join(root, pointerFile)
    const folderOf = (id: string): string => path.join(root, id)
    const makeRoot = fs.makeDirectory(root, { recursive: true })

    const list = fs.readDirectory(root).pipe(
      Effect.catchIf(isMissing, () => Effect.succeed([])),
      Effect.map((names) =>
        names.filter(isGeneration).toSorted((left, right) => numberOf(left) - numberOf(right))
      ),
      folderFailure("list generations", "the folders")
    )

    /** Everything a provider keeps for a generation is made before it is promoted; a crash may leave an empty folder. */
    const isFinished = (id: string) =>
      fs.readDirectory(folderOf(id)).pipe(
        Effect.map((names) => names.length > 0 && !names.includes(unfinishedMark)),
        folderFailure("list generations", id)
      )

    const writePointer = (id: string): Effect.Effect<void, CatalogError> =>
      replaceFile(pointer, [new TextEncoder().encode(`${id}\n`)]).pipe(
        Effect.provideContext(services),
        folderFailure("promote", pointerFile)
      )

    const readPointer = fs.readFileString(pointer).pipe(
      Effect.map((text) => Option.some(text.trim())),
      Effect.catchIf(isMissing, () => Effect.succeedNone),
      folderFailure("read the live generation", pointerFile)
    )

    /** A `CURRENT` that is lost or torn is repaired when only one generation can be meant. */
    const live = Effect.gen(function* () {
      const text = yield* readPointer
      const all = yield* list
      if (Option.isSome(text) && isGeneration(text.value)) {
        if (all.includes(text.value)) return text
        return yield* new IndexCorrupt({
          file: pointerFile,
          reason: `it names ${text.value}, which is not there${all.length === 0 ? "" : `; there are ${all.join(" and ")}`}`,
          remedy: all.length === 0 ? "rebuild" : "chooseGeneration"
        })
      }
      const finished = yield* Effect.filter(all, isFinished)
      const [only] = finished
      // an index that is new, or whose first generation is under construction
      if (only === undefined && (Option.isNone(text) || all.length === 0)) return Option.none<string>()
      const fault = Option.isNone(text) ? "is missing" : "does not name a generation"
      if (only === undefined || finished.length > 1) {
        return yield* new IndexCorrupt({
          file: pointerFile,
          reason: `it ${fault}, and there are ${all.join(" and ")}`,
          remedy: "chooseGeneration"
        })
      }
      yield* Effect.logWarning(
        `the file ${pointerFile} ${fault}; ${only} is the only finished generation and is taken`
      )
      yield* writePointer(only)
      return Option.some(only)
    }).pipe(Effect.withSpan("GenerationRegistry.live"))

    const registry: GenerationRegistry["Service"] = {
      name,
      index: nameIndex(root).pipe(
        Effect.provideContext(services),
        folderFailure("name the index", identityFile)
      ),
      list,
      live,

      add: Effect.fn("GenerationRegistry.add")(
        function* (id) {
          yield* makeRoot
          const mark = fs.writeFileString(path.join(folderOf(id), unfinishedMark), "")
          // one that is there keeps its mark, or goes without
          yield* Effect.andThen(fs.makeDirectory(folderOf(id)), mark).pipe(
            Effect.catchIf(alreadyExists, () => Effect.void)
          )
        },
        (effect, id) => folderFailure("add a generation", id)(effect)
      ),

      promote: Effect.fn("GenerationRegistry.promote")(function* (id) {
        yield* fs
          .remove(path.join(folderOf(id), unfinishedMark), { force: true })
          .pipe(folderFailure("promote", id))
        yield* writePointer(id)
      }),

      remove: Effect.fn("GenerationRegistry.remove")(
        (id) => fs.remove(folderOf(id), { recursive: true, force: true }),
        (effect, id) => folderFailure("remove a generation", id)(effect)
      ),

      lock: (holder) =>
        Effect.andThen(
          makeRoot.pipe(folderFailure("lock", "the folder")),
          takeWriteLock(path.join(root, lockFile), holder)
        )
    }
    return registry
  })
