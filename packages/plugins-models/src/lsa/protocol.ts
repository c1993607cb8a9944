import type { Artifact, EmbeddingRole } from "@omnirag/core/plugin"
import type { LsaModel } from "./LsaModel.ts"
import type { LsaOptions } from "./LsaOptions.ts"

/** What a worker thread gets at its start. */
export type WorkerTask =
  | { readonly task: "fit"; readonly options: LsaOptions }
  | { readonly task: "embed"; readonly model: LsaModel }

/** Each request has a number and gets one reply with the same number. */
export type WorkerRequest =
  | { readonly id: number; readonly kind: "learn"; readonly texts: ReadonlyArray<string> }
  | { readonly id: number; readonly kind: "finish" }
  | {
      readonly id: number
      readonly kind: "embed"
      readonly texts: ReadonlyArray<string>
      readonly role: EmbeddingRole
    }

/** What a request leads to: `embed` to vectors, `finish` to the fitted model. */
export interface WorkerResult {
  readonly vectors?: Float32Array
  readonly model?: Artifact
}

export type WorkerReply =
  | { readonly id: number; readonly result: WorkerResult }
  | { readonly id: number; readonly failure: string }
