import type { AppConfig } from "../config/OmniragConfig.ts"
import type { Embedders } from "../index/Embedders.ts"
import type { Generations } from "../index/Generations.ts"
import type { CatalogProvider } from "../ports/CatalogProvider.ts"
import type { Chunker } from "../ports/Chunker.ts"
import type { DocumentLoaders } from "../sources/DocumentLoaders.ts"
import type { Sources } from "../sources/Sources.ts"

/** The services a run works with. */
export interface RunServices {
  readonly config: AppConfig["Service"]
  readonly generations: Generations["Service"]
  readonly catalogs: CatalogProvider["Service"]
  readonly embedders: Embedders["Service"]
  readonly sources: Sources["Service"]
  readonly loaders: DocumentLoaders["Service"]
  readonly chunker: Chunker["Service"]
}
