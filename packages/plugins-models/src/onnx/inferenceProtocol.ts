import type { Pooling } from "./modelFamilies.ts"

/** The task of an inference process with a model; all paths are absolute. */
export interface InferenceSpec {
  readonly task: "embed" | "score"
  readonly weights: string
  readonly tokenizer: string
  readonly tokenizerConfig: string | null
  readonly threads: number
  /** Longest row of the model, including special tokens. */
  readonly maxTokens: number
  /** Most tokens of one model run, including padding. */
  readonly batchTokens: number
  /** Embedding only. */
  readonly pooling: Pooling
  /** Embedding only: tokens that neighbouring windows share. */
  readonly overlap: number
}

/** Texts of one call: `context` is the prefix of each text (embedding) or the question (scoring). */
export interface InferenceRequest {
  readonly context: string
  readonly texts: ReadonlyArray<string>
}

/** Vectors, one after the other, or scores, in the order of the texts. */
export interface InferenceResult {
  readonly numbers: Float32Array
  readonly warnings: ReadonlyArray<{ readonly index: number; readonly message: string }>
}

export type ParentMessage =
  | { readonly type: "open"; readonly spec: InferenceSpec }
  | { readonly type: "run"; readonly id: number; readonly request: InferenceRequest }
  | { readonly type: "cancel"; readonly id: number }

export type ChildMessage =
  | { readonly type: "opened"; readonly dimensions: number }
  | { readonly type: "refused"; readonly message: string }
  | { readonly type: "done"; readonly id: number; readonly result: InferenceResult }
  | { readonly type: "failed"; readonly id: number; readonly message: string }

/** A task that is ready in an inference process. */
export interface InferenceTask {
  /** Numbers of the result for each text. */
  readonly dimensions: number
  /** Calls `yieldToCancel` before each model run; it throws when the caller has left. */
  readonly run: (request: InferenceRequest, yieldToCancel: () => Promise<void>) => Promise<InferenceResult>
}
