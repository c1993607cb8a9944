import {
  type AnswerGenerator,
  type AppError,
  type CatalogProvider,
  type Chunker,
  type DocumentLoader,
  type EmbedderProvider,
  extractiveAnswers,
  type HealthChecks,
  llmAnswers,
  llmReranker,
  type ModelContext,
  type Plugin,
  type Reranker,
  type SourceProvider,
  type VectorStoreProvider
} from "@omnirag/core/app"
import { catalogs } from "@omnirag/plugins-catalog"
import { chunkers } from "@omnirag/plugins-chunkers"
import { loaders, sources } from "@omnirag/plugins-loaders"
import { embedders, languageModels, rerankers } from "@omnirag/plugins-models"
import { vectorStores } from "@omnirag/plugins-vectordb"
import type { LanguageModel } from "effect/ai"

/** What plugins that use a language model may ask for. */
export type ModelServices = LanguageModel.LanguageModel | ModelContext

/** Every plugin the process knows, by kind. */
export interface PluginSet {
  readonly source: ReadonlyArray<Plugin<SourceProvider, AppError, HealthChecks>>
  readonly loader: ReadonlyArray<Plugin<DocumentLoader, AppError, HealthChecks>>
  readonly chunker: ReadonlyArray<Plugin<Chunker, AppError, HealthChecks>>
  readonly embedder: ReadonlyArray<Plugin<EmbedderProvider, AppError, HealthChecks>>
  readonly vectorStore: ReadonlyArray<Plugin<VectorStoreProvider, AppError, HealthChecks>>
  readonly catalog: ReadonlyArray<Plugin<CatalogProvider, AppError, HealthChecks>>
  readonly reranker: ReadonlyArray<Plugin<Reranker, AppError, HealthChecks | ModelServices>>
  readonly answers: ReadonlyArray<Plugin<AnswerGenerator, AppError, HealthChecks | ModelServices>>
  readonly languageModel: ReadonlyArray<Plugin<ModelServices, AppError, HealthChecks>>
}

/** The plugins of this repository; configuration adds others. */
export const builtInPlugins: PluginSet = {
  source: sources,
  loader: loaders,
  chunker: chunkers,
  embedder: embedders,
  vectorStore: vectorStores,
  catalog: catalogs,
  reranker: [...rerankers, llmReranker],
  answers: [extractiveAnswers, llmAnswers],
  languageModel: languageModels
}
