import type { Filter, IndexCorrupt, VectorStoreError } from "@omnirag/core/plugin"
import type { GraphOptions } from "../binding/FaissBinding.ts"
import type { BindingChoice } from "../binding/loadBinding.ts"
import type { GraphProgress, Hits } from "../Collection.ts"
import type { CollectionPlace } from "../CollectionPlace.ts"
import type { RowLimits } from "../RowTable.ts"

/** A collection opened in the worker. */
export type Handle = number

/** Which binding holds the rows, and whether a graph lies over them. */
export interface IndexChoice {
  readonly binding: BindingChoice
  /** Undefined: flat. */
  readonly graph: GraphOptions | undefined
}

/** What the main thread can ask of the worker: input and output of each operation. */
export interface Operations {
  readonly open: {
    readonly input: {
      readonly place: CollectionPlace
      readonly dimensions: number
      readonly index: IndexChoice
    }
    readonly output: {
      readonly handle: Handle
      readonly binding: string
      /** Why a better binding was not taken. */
      readonly warning: string | undefined
      /** Why a graph must be built anew. */
      readonly note: string | undefined
    }
  }
  /** What a choice comes to here, and how far the graphs of the open collections are. */
  readonly describe: {
    readonly input: { readonly index: IndexChoice }
    readonly output: {
      readonly description: string
      readonly warning: string | undefined
      readonly graphs: ReadonlyArray<GraphProgress>
    }
  }
  readonly close: { readonly input: { readonly handle: Handle }; readonly output: void }
  readonly drop: { readonly input: { readonly place: CollectionPlace }; readonly output: void }
  /** Rows of a batch to come, as JSON `[ids, fields]`: cheaper to hand over, in slices, than objects. */
  readonly stage: {
    readonly input: { readonly handle: Handle; readonly batch: number; readonly rows: string }
    readonly output: void
  }
  readonly discard: {
    readonly input: { readonly handle: Handle; readonly batch: number }
    readonly output: void
  }
  /** Writes the staged rows. */
  readonly upsert: {
    readonly input: { readonly handle: Handle; readonly batch: number; readonly vectors: Float32Array }
    readonly output: void
  }
  readonly reserve: {
    readonly input: { readonly handle: Handle; readonly rows: number }
    readonly output: void
  }
  readonly query: {
    readonly input: {
      readonly handle: Handle
      readonly vector: Float32Array
      readonly topK: number
      readonly limits: RowLimits
    }
    readonly output: Hits
  }
  readonly remove: {
    readonly input: { readonly handle: Handle; readonly ids: ReadonlyArray<string> }
    readonly output: void
  }
  readonly removeWhere: {
    readonly input: { readonly handle: Handle; readonly where: Filter }
    readonly output: void
  }
  readonly count: {
    readonly input: { readonly handle: Handle; readonly where: Filter | undefined }
    readonly output: number
  }
  readonly page: {
    readonly input: { readonly handle: Handle; readonly after: string | undefined; readonly limit: number }
    readonly output: ReadonlyArray<string>
  }
  readonly flush: { readonly input: { readonly handle: Handle }; readonly output: void }
}
export type Operation = keyof Operations

export type Request = {
  readonly [Name in Operation]: {
    readonly id: number
    readonly operation: Name
    readonly input: Operations[Name]["input"]
  }
}[Operation]

/** The fields of the error classes of core; a class does not survive the way between threads. */
export type Fault =
  | {
      readonly _tag: "VectorStoreError"
      readonly reason: VectorStoreError["reason"]
      readonly message: string
      readonly cause?: unknown
    }
  | Pick<IndexCorrupt, "_tag" | "file" | "reason" | "remedy">

export type Reply =
  | { readonly id: number; readonly ok: true; readonly output: Operations[Operation]["output"] }
  | { readonly id: number; readonly ok: false; readonly fault: Fault }
