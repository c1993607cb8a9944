import { Context, type Effect } from "effect"
import type { IndexError } from "../domain/errors.ts"
import type { IndexRun } from "../domain/IndexRun.ts"
import type { PluginKind } from "../plugin/definePlugin.ts"
import type { CatalogCounts } from "../ports/CatalogProvider.ts"

export interface PluginInfo {
  readonly kind: PluginKind
  readonly name: string
  readonly description: string
  /** True when the configuration uses it. */
  readonly active: boolean
}

/** One generation of the index: the documents as one chunker and one embedder see them. */
export interface GenerationInfo {
  readonly id: string
  readonly live: boolean
  readonly embedder: string
  readonly embedderFingerprint: string | null
  readonly chunkerFingerprint: string
  readonly dimensions: number | null
  readonly vectorStore: string
  /** Vectors in the store; equal to `counts.chunks` when nothing is pending. */
  readonly vectors: number
  readonly counts: CatalogCounts
}

/** The outcome of asking one part whether it works. */
export interface HealthCheck {
  readonly name: string
  readonly healthy: boolean
  /** What is wrong and what to do; what was found, when healthy. */
  readonly detail: string
}

export interface Status {
  readonly version: string
  /** Milliseconds since the process began. */
  readonly uptimeMs: number
  readonly ready: boolean
  readonly generations: ReadonlyArray<GenerationInfo>
  readonly activeRun: IndexRun | null
  readonly checks: ReadonlyArray<HealthCheck>
}

/** What the system is made of and whether it works. */
export class SystemStatus extends Context.Service<
  SystemStatus,
  {
    readonly status: Effect.Effect<Status, IndexError>
    readonly plugins: ReadonlyArray<PluginInfo>
    /** Asks every part that can be unreachable: the index files, the models, the stores. Never fails. */
    readonly checks: Effect.Effect<ReadonlyArray<HealthCheck>>
  }
>()("@omnirag/core/indexing/SystemStatus") {}
