import { Context, Effect, Layer } from "effect"
import { AppConfig } from "../config/OmniragConfig.ts"
import { PluginError } from "../domain/errors.ts"
import { ArtifactStore } from "../ports/ArtifactStore.ts"
import { CatalogProvider } from "../ports/CatalogProvider.ts"
import { GenerationRegistry } from "../ports/GenerationRegistry.ts"
import { VectorStoreProvider } from "../ports/VectorStoreProvider.ts"
import type { LexicalChoice } from "./chooseLexical.ts"
import { Embedders } from "./Embedders.ts"

/** The providers that the index is made of, and how generations are opened with them. */
export class IndexParts extends Context.Service<
  IndexParts,
  {
    readonly registry: GenerationRegistry["Service"]
    readonly artifacts: ArtifactStore["Service"]
    readonly catalogs: CatalogProvider["Service"]
    readonly stores: VectorStoreProvider["Service"]
    readonly embedders: Embedders["Service"]
    readonly lexicalFrom: LexicalChoice
    /** Whether the number of vectors is compared with that of chunks when a generation is opened. */
    readonly checkVectorCount: boolean
  }
>()("@omnirag/core/index/IndexParts") {
  static readonly layer = Layer.effect(
    IndexParts,
    Effect.gen(function* () {
      const { indexing, retrieval } = yield* AppConfig
      const stores = yield* VectorStoreProvider
      // said at the start: an index that has to be fitted would be asked for its words only after hours
      if (retrieval.lexical === "vectorStore" && stores.hasLexical !== true) {
        return yield* new PluginError({
          kind: "vectorStore",
          name: stores.name,
          message: `the vector store ${stores.name} has no word index, and \`retrieval.lexical: vectorStore\` asks for it; set \`retrieval.lexical: catalog\`, or choose a store that has one`
        })
      }
      return IndexParts.of({
        registry: yield* GenerationRegistry,
        artifacts: yield* ArtifactStore,
        catalogs: yield* CatalogProvider,
        stores,
        embedders: yield* Embedders,
        lexicalFrom: retrieval.lexical,
        checkVectorCount: indexing.checkOnOpen
      })
    })
  )
}
