import { Effect, type Scope } from "effect"
import { basename } from "node:path"
import { type InferencePool, makeInferencePool } from "./InferencePool.ts"
import { InferenceError, openInferenceProcess } from "./InferenceProcess.ts"
import type { InferenceSpec } from "./inferenceProtocol.ts"
import { type ModelFamily, modelFamily, type Pooling } from "./modelFamilies.ts"
import { modelFingerprint } from "./modelFingerprint.ts"
import type { ModelFolderError } from "./ModelFolder.ts"
import { locateModel, type ModelSelection } from "./locateModel.ts"

/** What the embedder and the reranker have in common. */
export interface OpenModelOptions extends ModelSelection {
  readonly maxTokens: number | null
  readonly threads: number
  readonly workers: number
}

export interface OpenModel {
  /** Fingerprint of the weights, the tokenizer and the settings. */
  readonly fingerprint: string
  readonly pool: InferencePool
}

/** Used when neither the model nor the configuration says how long a text may be. */
const defaultMaxTokens = 512
/** Tokens of one run of a float model; larger runs are no faster on a CPU. */
const batchTokens = 512

/** The family of the model in the option `model`, which is a folder or a hub name. */
export const familyOf = (model: string): ModelFamily => modelFamily(basename(model))

/**
 * Finds a model and starts the processes that run it; the scope ends them.
 *
 * @param embedding.pooling null takes the pooling of the model
 * @param embedding.prefixes only for the fingerprint
 */
export const openModel = Effect.fn("openModel")(function* (
  task: InferenceSpec["task"],
  options: OpenModelOptions,
  embedding: {
    readonly pooling: Pooling | null
    readonly overlap: number
    readonly prefixes: ReadonlyArray<string>
  }
): Effect.fn.Return<OpenModel, ModelFolderError | InferenceError, Scope.Scope> {
  const model = yield* locateModel(options, embedding.pooling)
  const { weights, tokenizer, tokenizerConfig } = model
  const pooling = model.pooling ?? familyOf(options.model).pooling
  const maxTokens = Math.min(options.maxTokens ?? Infinity, model.maxTokens ?? defaultMaxTokens)
  const { threads, workers } = options
  const { overlap, prefixes } = embedding
  const fingerprint = yield* modelFingerprint(model, [...prefixes, pooling, maxTokens, overlap])
  const pool = yield* makeInferencePool(
    openInferenceProcess({
      task,
      weights,
      tokenizer,
      tokenizerConfig,
      threads,
      maxTokens,
      batchTokens: fingerprint.dynamicallyQuantised ? 1 : batchTokens,
      pooling,
      overlap
    }),
    workers
  ).pipe(
    Effect.mapError(
      ({ reason, message }) =>
        new InferenceError({ reason, message: `${weights} cannot be used: ${message}` })
    )
  )
  return { fingerprint: fingerprint.hash, pool }
})
