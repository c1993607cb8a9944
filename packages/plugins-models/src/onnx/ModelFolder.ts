import { Effect, Option, Schema } from "effect"
import { existsSync, statSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import type { Pooling } from "./modelFamilies.ts"
import { weightFiles } from "./weightFiles.ts"

/** A model cannot be used as it is; the message says which file is missing or wrong, and what to do. */
export class ModelFolderError extends Schema.TaggedError<ModelFolderError>()("ModelFolderError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** The files of a model, with what its configuration files say. Paths are absolute. */
export interface ModelFolder {
  readonly weights: string
  /** Weights kept outside the ONNX file, when there are any. */
  readonly externalWeights: string | null
  readonly tokenizer: string
  readonly tokenizerConfig: string | null
  readonly pooling: Pooling | null
  readonly maxTokens: number | null
}

/** What a model folder must contain, for messages. */
export const folderContents =
  "tokenizer.json and the weights as onnx/model.onnx or model.onnx (or the file that the option file names)"

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile()

const Config = Schema.Struct({
  model_type: Schema.optionalKey(Schema.String),
  max_position_embeddings: Schema.optionalKey(Schema.Finite)
})
const SentenceConfig = Schema.Struct({ max_seq_length: Schema.optionalKey(Schema.NullOr(Schema.Finite)) })
const TokenizerConfig = Schema.Struct({ model_max_length: Schema.optionalKey(Schema.NullOr(Schema.Finite)) })
const PoolingConfig = Schema.Struct({
  pooling_mode: Schema.optionalKey(Schema.String),
  pooling_mode_cls_token: Schema.optionalKey(Schema.Boolean),
  pooling_mode_mean_tokens: Schema.optionalKey(Schema.Boolean)
})
const Modules = Schema.Array(Schema.Struct({ type: Schema.String }))

/** Reads an optional JSON file of the folder; a file that is there and wrong is an error. */
const readJson = <A>(
  folder: string,
  file: string,
  schema: Schema.Codec<A, unknown>
): Effect.Effect<Option.Option<A>, ModelFolderError> => {
  const path = join(folder, file)
  if (!isFile(path)) return Effect.succeedNone
  const wrong = (cause: unknown) =>
    new ModelFolderError({ message: `${path} is not the ${file} of a model: ${String(cause)}`, cause })
  return Effect.tryPromise({ try: () => readFile(path, "utf8"), catch: wrong }).pipe(
    Effect.flatMap((text) => Effect.try({ try: (): unknown => JSON.parse(text), catch: wrong })),
    Effect.flatMap((value) => Effect.mapError(Schema.decodeUnknownEffect(schema)(value), wrong)),
    Effect.asSome
  )
}

const poolingOf = (
  folder: string,
  config: typeof PoolingConfig.Type
): Effect.Effect<Pooling, ModelFolderError> => {
  if (config.pooling_mode_mean_tokens === true || config.pooling_mode === "mean")
    return Effect.succeed("mean")
  if (config.pooling_mode_cls_token === true || config.pooling_mode === "cls") return Effect.succeed("cls")
  return Effect.fail(
    new ModelFolderError({
      message: `${join(folder, "1_Pooling/config.json")} asks for a pooling other than mean or cls, which is not supported; set the option pooling to override it`
    })
  )
}

/** Positions of RoBERTa models start after the padding id: two of them are never used. */
const positionsOf = (config: typeof Config.Type): number | undefined =>
  config.max_position_embeddings === undefined
    ? undefined
    : config.max_position_embeddings - (/roberta|mpnet|camembert/.test(config.model_type ?? "") ? 2 : 0)

/**
 * Finds the files of a model.
 *
 * @param file weights inside the folder; null looks for the usual names
 * @param pooling from the configuration; when given, the folder's own setting is not read
 */
export const readModelFolder = Effect.fn("readModelFolder")(function* (
  path: string,
  file: string | null,
  pooling: Pooling | null
): Effect.fn.Return<ModelFolder, ModelFolderError> {
  const folder = resolve(path)
  const tokenizer = join(folder, "tokenizer.json")
  const candidates = file === null ? weightFiles : [file]
  const weights = candidates.map((name) => join(folder, name)).find(isFile)
  const missing = [
    ...(isFile(tokenizer) ? [] : ["tokenizer.json"]),
    ...(weights === undefined ? [file ?? "the weights"] : [])
  ]
  if (weights === undefined || missing.length > 0) {
    return yield* new ModelFolderError({
      message: `the model folder ${folder} lacks ${missing.join(" and ")}. It must hold ${folderContents}`
    })
  }
  const modules = yield* readJson(folder, "modules.json", Modules)
  if (Option.exists(modules, (list) => list.some((module) => module.type.endsWith(".Dense")))) {
    return yield* new ModelFolderError({
      message: `${join(folder, "modules.json")} has a Dense layer after the pooling, which is not supported; use another model`
    })
  }
  const config = yield* readJson(folder, "config.json", Config)
  const sentence = yield* readJson(folder, "sentence_bert_config.json", SentenceConfig)
  const tokens = yield* readJson(folder, "tokenizer_config.json", TokenizerConfig)
  const limits = [
    Option.getOrUndefined(config.pipe(Option.map(positionsOf))),
    Option.getOrUndefined(sentence)?.max_seq_length,
    Option.getOrUndefined(tokens)?.model_max_length
  ].filter((limit) => limit !== undefined && limit !== null)
  const poolingConfig =
    pooling === null ? yield* readJson(folder, "1_Pooling/config.json", PoolingConfig) : Option.none()
  const externalWeights = `${weights}_data`
  const tokenizerConfig = join(folder, "tokenizer_config.json")
  return {
    weights,
    externalWeights: isFile(externalWeights) ? externalWeights : null,
    tokenizer,
    tokenizerConfig: isFile(tokenizerConfig) ? tokenizerConfig : null,
    pooling: pooling ?? (Option.isSome(poolingConfig) ? yield* poolingOf(folder, poolingConfig.value) : null),
    maxTokens: limits.length === 0 ? null : Math.min(...limits)
  }
})
