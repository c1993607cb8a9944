import { Effect, Schema } from "effect"
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { downloadHubModel, isHubName } from "./hubModel.ts"
import type { Pooling } from "./modelFamilies.ts"
import {
  folderContents,
  type ModelFolder,
  ModelFolderError,
  readModelFolder,
  weightFiles
} from "./ModelFolder.ts"

const between = (minimum: number, maximum: number) =>
  Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum, maximum })))

const orNull = <S extends Schema.Top>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

/** A whole number from `minimum` to `maximum`, null when absent: then the model or the plugin decides. */
export const optionalInt = (minimum: number, maximum: number) => orNull(between(minimum, maximum))

/** A text, null when absent. */
export const optionalText = orNull(Schema.String)

/** Options of every ONNX model. */
export const modelOptions = {
  cache: Schema.NonEmptyString.pipe(Schema.withDecodingDefaultKey(Effect.succeed(".models"))).annotate({
    description: "Folder for models downloaded from the hub"
  }),
  offline: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(true))).annotate({
    description: "Nothing is downloaded; false downloads a hub model that is not in the cache"
  }),
  hub: Schema.NonEmptyString.pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("https://huggingface.co"))
  ).annotate({ description: "Root address of the hub" }),
  revision: Schema.NonEmptyString.pipe(Schema.withDecodingDefaultKey(Effect.succeed("main"))).annotate({
    description: "Branch, tag or commit of a hub model"
  }),
  file: orNull(Schema.NonEmptyString).annotate({
    description: `Weights inside the folder; null takes the first of ${weightFiles.join(", ")}`
  }),
  threads: between(1, 64)
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(1)))
    .annotate({ description: "Threads of one model run" }),
  workers: between(1, 64)
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(1)))
    .annotate({ description: "Processes with the model; each holds its own copy of the weights" })
}

export interface ModelSelection {
  readonly model: string
  readonly cache: string
  readonly offline: boolean
  readonly hub: string
  readonly revision: string
  readonly file: string | null
}

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

/**
 * The folder of the configured model: the one named by the options, or the folder of a hub model in the cache. It may
 * not exist.
 */
const folderOf = (options: ModelSelection): string =>
  isFolder(options.model)
    ? options.model
    : join(options.cache, options.model, ...(options.revision === "main" ? [] : [options.revision]))

/** True when the model must be downloaded from the hub, and this is allowed. */
export const isToBeFetched = (options: ModelSelection): boolean =>
  !options.offline && isHubName(options.model) && !isFolder(folderOf(options))

/** Finds the configured model: a folder, or a hub model in the cache, or, unless offline, on the hub. */
export const locateModel = Effect.fn("locateModel")(function* (
  options: ModelSelection,
  pooling: Pooling | null
): Effect.fn.Return<ModelFolder, ModelFolderError> {
  if (isFolder(options.model)) return yield* readModelFolder(options.model, options.file, pooling)
  if (!isHubName(options.model)) {
    return yield* new ModelFolderError({
      message: `there is no folder ${options.model}. The option model must name a folder that holds ${folderContents}; or a hub model such as Xenova/all-MiniLM-L6-v2`
    })
  }
  const cached = folderOf(options)
  if (!isFolder(cached)) {
    if (options.offline) {
      return yield* new ModelFolderError({
        message: `there is no folder ${options.model}, nor is the hub model of that name in ${cached}, and offline is on. Put ${folderContents} there, or set offline: false to fetch it from ${options.hub}`
      })
    }
    const { model: name, revision, hub } = options
    yield* downloadHubModel({ name, revision, hub, file: options.file ?? weightFiles[0] }, cached)
  }
  return yield* readModelFolder(cached, options.file, pooling)
})
