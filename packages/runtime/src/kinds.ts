import {
  AnswerGenerator,
  type AppConfig,
  ArtifactStore,
  CatalogProvider,
  Chunker,
  DocumentLoader,
  EmbedderProvider,
  GenerationRegistry,
  ModelContext,
  type PluginKind,
  type PluginSelection,
  type ProvidedBy,
  Reranker,
  SourceProvider,
  VectorStoreProvider
} from "@omnirag/core/app"
import type { Context } from "effect"
import * as LanguageModel from "effect/ai/LanguageModel"

type Config = AppConfig["Service"]

/** What the composition knows of a kind of plugins. */
interface KindEntry<K extends PluginKind> {
  /** The key in the configuration file that selects plugins of the kind. */
  readonly key: keyof Config
  /** How many a system has: exactly one, one or none (null), or a list of at least one. */
  readonly count: "one" | "optional" | "list"
  /** The services that a plugin of the kind provides, all of them. */
  readonly services: ReadonlyArray<Context.Key<ProvidedBy<K>, unknown>>
}

/** The one table of plugin kinds: where each is configured, how many there are, and what it provides. */
export const kinds = {
  source: { key: "sources", count: "list", services: [SourceProvider] },
  loader: { key: "loaders", count: "list", services: [DocumentLoader] },
  chunker: { key: "chunker", count: "one", services: [Chunker] },
  embedder: { key: "embedder", count: "one", services: [EmbedderProvider] },
  vectorStore: { key: "vectorStore", count: "one", services: [VectorStoreProvider] },
  catalog: { key: "catalog", count: "one", services: [CatalogProvider, GenerationRegistry, ArtifactStore] },
  reranker: { key: "reranker", count: "optional", services: [Reranker] },
  answers: { key: "answers", count: "one", services: [AnswerGenerator] },
  languageModel: {
    key: "languageModel",
    count: "optional",
    services: [LanguageModel.LanguageModel, ModelContext]
  }
} as const satisfies { readonly [K in PluginKind]: KindEntry<K> }

/** The plugins of a kind that a configuration selects, in its order; none where it says null. */
export const selectionsOf = (config: Config, kind: PluginKind): ReadonlyArray<PluginSelection> => {
  const { key } = kinds[kind]
  const selected = config[key]
  if (selected === null) return []
  return "use" in selected ? [selected] : selected
}
