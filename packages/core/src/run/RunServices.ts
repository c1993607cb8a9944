import type { Access } from "../access/Access.ts"
import type { AppConfig } from "../config/OmniragConfig.ts"
import type { Embedders } from "../index/Embedders.ts"
import type { GenerationBuilder } from "../index/GenerationBuilder.ts"
import type { GenerationReader } from "../index/GenerationReader.ts"
import type { Chunker } from "../ports/Chunker.ts"
import type { DocumentLoaders } from "../sources/DocumentLoaders.ts"
import type { Sources } from "../sources/Sources.ts"

/** The services a run works with. */
export interface RunServices {
  readonly access: Access["Service"]
  readonly config: AppConfig["Service"]
  readonly reader: GenerationReader["Service"]
  readonly builder: GenerationBuilder["Service"]
  readonly embedders: Embedders["Service"]
  readonly sources: Sources["Service"]
  readonly loaders: DocumentLoaders["Service"]
  readonly chunker: Chunker["Service"]
}
