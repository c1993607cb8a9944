import type { Effect } from "effect"
import type { CatalogError } from "../../domain/errors.ts"
import type { ChunkCatalog } from "./ChunkCatalog.ts"
import type { DocumentCatalog } from "./DocumentCatalog.ts"
import type { FactStore } from "./FactStore.ts"
import type { LexicalIndex } from "./LexicalIndex.ts"
import type { Outbox } from "./Outbox.ts"
import type { RunHistory } from "./RunHistory.ts"
import type { VectorCache } from "./VectorCache.ts"

/** The truth of one generation, in the parts it is made of. What one part commits, the others see. */
export interface Catalog {
  readonly name: string
  readonly documents: DocumentCatalog
  readonly chunks: ChunkCatalog
  /** Null where the catalog has no word index: then the vector store must serve one. */
  readonly lexical: LexicalIndex | null
  readonly cache: VectorCache
  readonly outbox: Outbox
  readonly runs: RunHistory
  readonly facts: FactStore
  /** Checks all that is stored; empty when it is sound, otherwise what is wrong. */
  readonly check: Effect.Effect<ReadonlyArray<string>, CatalogError>
}
