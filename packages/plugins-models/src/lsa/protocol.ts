import type { EmbeddingRole } from "@omnirag/core/plugin"
import type { LsaModel } from "./LsaModel.ts"
import type { LsaOptions } from "./LsaOptions.ts"

/** What a worker thread is started for. */
export type WorkerTask =
  | { readonly task: "fit"; readonly options: LsaOptions; readonly file: string }
  | { readonly task: "embed"; readonly model: LsaModel }

/** Numbered; each is answered by one reply with its number. */
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
