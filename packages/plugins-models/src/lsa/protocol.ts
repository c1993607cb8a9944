import type { EmbeddingRole } from "@omnirag/core/plugin"
import type { LsaModel } from "./LsaModel.ts"
import type { LsaOptions } from "./LsaOptions.ts"

/** What a worker thread gets at its start. */
export type WorkerTask =
  | { readonly task: "fit"; readonly options: LsaOptions; readonly file: string }
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

export type WorkerReply =
  | { readonly id: number; readonly vectors?: Float32Array }
  | { readonly id: number; readonly failure: string }
