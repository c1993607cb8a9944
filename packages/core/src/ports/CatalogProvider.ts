import { Context, type Effect, type Scope } from "effect"
import type { CatalogError, IndexCorrupt } from "../domain/errors.ts"
import type { ChunkAnalysis } from "../language/ChunkAnalysis.ts"
import type { Catalog } from "./catalog/Catalog.ts"
import type { GenerationRef } from "./GenerationRef.ts"

/** How a catalog is opened. */
export interface CatalogOptions {
  /** Makes the terms of the lexical index out of chunks; the catalog itself never splits words. */
  readonly analysis: ChunkAnalysis
  /** Opened for reading it is never created: one that is missing is `IndexCorrupt`. */
  readonly readOnly?: boolean
}

/** What a new generation takes over from the one before. */
export interface SeedOptions {
  /** The generation to copy from. */
  readonly from: GenerationRef
  /** True when the chunker is the same: documents and chunks are copied too, not just vectors and runs. */
  readonly documents: boolean
}

/** Opens the catalogs of generations. */
export class CatalogProvider extends Context.Service<
  CatalogProvider,
  {
    readonly name: string
    /** Opens the catalog of a generation for the life of the scope; makes an empty one where there is none. */
    readonly open: (
      generation: GenerationRef,
      options: CatalogOptions
    ) => Effect.Effect<Catalog, CatalogError | IndexCorrupt, Scope.Scope>
    /** Creates the catalog of a new generation out of an older one; the older one is only read. */
    readonly seed: (
      generation: GenerationRef,
      options: SeedOptions
    ) => Effect.Effect<void, CatalogError | IndexCorrupt>
  }
>()("@omnirag/core/ports/CatalogProvider") {}
