import { extractiveAnswers, llmAnswers, llmReranker } from "@omnirag/core/app"
import { catalogs } from "@omnirag/plugins-catalog"
import { chunkers } from "@omnirag/plugins-chunkers"
import { loaders, sources } from "@omnirag/plugins-loaders"
import { embedders, languageModels, rerankers } from "@omnirag/plugins-models"
import { vectorStores } from "@omnirag/plugins-vectordb"
import type { PluginSet } from "./PluginSet.ts"

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
