import {
  type Artifacts,
  type ArtifactStore,
  CatalogError,
  DataFolder,
  IndexCorrupt
} from "@omnirag/core/plugin"
import { Effect, FileSystem, Option, Path } from "effect"
import { decodeArtifact, encodeArtifact, headBytes } from "./artifactFile.ts"
import { folderFailure, isMissing } from "./folderFailure.ts"
import { readShared } from "./readShared.ts"
import { replaceFile } from "./replaceFile.ts"

/** The folder of the artifacts inside that of their generation. */
const artifactsFolder = "artifacts"

/**
 * Artifacts as files, each with a checksum of all it holds (see artifactFile.ts). They are read into
 * memory that threads share, and written from where they are: tens of megabytes are not copied.
 */
export const makeFolderArtifacts = (name: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const services = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const { of: folderOf } = yield* DataFolder

    const store: ArtifactStore["Service"] = {
      name,
      of: (generation): Artifacts => {
        const folder = path.join(folderOf(generation), artifactsFolder)
        const shown = (artifact: string) => `${generation.id}/${artifactsFolder}/${artifact}`
        const fileOf = (operation: string, artifact: string) =>
          /^[a-z0-9-]+$/.test(artifact)
            ? Effect.succeed(path.join(folder, artifact))
            : Effect.fail(
                new CatalogError({
                  operation,
                  message: `${operation} failed: "${artifact}" is no name of an artifact (a-z, 0-9, -)`
                })
              )

        return {
          get: Effect.fn("Artifacts.get")(function* (artifact) {
            const corrupt = (reason: string) =>
              new IndexCorrupt({ file: shown(artifact), reason, remedy: "rebuild" })
            const file = yield* fileOf("artifacts.get", artifact)
            const read = yield* readShared(file, headBytes).pipe(
              Effect.provideContext(services),
              Effect.asSome,
              Effect.catchIf(isMissing, () => Effect.succeedNone),
              folderFailure("artifacts.get", shown(artifact))
            )
            if (Option.isNone(read)) return Option.none()
            const decoded = yield* decodeArtifact(read.value.head, read.value.body)
            return "fault" in decoded ? yield* corrupt(`it ${decoded.fault}`) : Option.some(decoded)
          }),

          put: Effect.fn("Artifacts.put")(function* (artifact, content) {
            const file = yield* fileOf("artifacts.put", artifact)
            const parts = yield* encodeArtifact(content)
            yield* fs
              .makeDirectory(folder, { recursive: true })
              .pipe(
                Effect.andThen(replaceFile(file, parts)),
                Effect.provideContext(services),
                folderFailure("artifacts.put", shown(artifact))
              )
          })
        }
      }
    }
    return store
  })
