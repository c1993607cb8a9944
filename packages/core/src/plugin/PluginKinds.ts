import type { FileSystem, Path } from "effect"
import type { LanguageModel } from "effect/ai"
import type { PluginKind } from "../domain/PluginInfo.ts"
import type { AnswerGenerator } from "../ports/AnswerGenerator.ts"
import type { ArtifactStore } from "../ports/ArtifactStore.ts"
import type { CatalogProvider } from "../ports/CatalogProvider.ts"
import type { Chunker } from "../ports/Chunker.ts"
import type { DataFolder } from "../ports/DataFolder.ts"
import type { DocumentLoader } from "../ports/DocumentLoader.ts"
import type { EmbedderProvider } from "../ports/EmbedderProvider.ts"
import type { GenerationRegistry } from "../ports/GenerationRegistry.ts"
import type { ModelContext } from "../ports/ModelContext.ts"
import type { Reranker } from "../ports/Reranker.ts"
import type { SourceProvider } from "../ports/SourceProvider.ts"
import type { VectorStoreProvider } from "../ports/VectorStoreProvider.ts"
import type { HealthChecks } from "./HealthChecks.ts"

/** What a language model is made of: the model of effect/ai, and what prompts have to know of it. */
export type ModelServices = LanguageModel.LanguageModel | ModelContext

/** What the layer of every plugin may ask for: a place for health checks, the folder of the index, the files of this machine. */
export type PluginServices = HealthChecks | DataFolder | FileSystem.FileSystem | Path.Path

/** What plugins of a kind provide (all of it), and what they may ask for besides `PluginServices`. */
export interface KindServices {
  readonly source: { readonly provides: SourceProvider; readonly asks: never }
  readonly loader: { readonly provides: DocumentLoader; readonly asks: never }
  readonly chunker: { readonly provides: Chunker; readonly asks: never }
  readonly embedder: { readonly provides: EmbedderProvider; readonly asks: never }
  readonly vectorStore: { readonly provides: VectorStoreProvider; readonly asks: never }
  readonly catalog: {
    readonly provides: CatalogProvider | GenerationRegistry | ArtifactStore
    readonly asks: never
  }
  readonly reranker: { readonly provides: Reranker; readonly asks: ModelServices }
  readonly answers: { readonly provides: AnswerGenerator; readonly asks: ModelServices }
  readonly languageModel: { readonly provides: ModelServices; readonly asks: never }
}

/** The services that a plugin of kind `K` has to provide. */
export type ProvidedBy<K extends PluginKind> = KindServices[K]["provides"]

/** The services that the layer of a plugin of kind `K` may ask for. */
export type OfferedTo<K extends PluginKind> = KindServices[K]["asks"] | PluginServices
