import { definePlugin } from "@omnirag/core/plugin"
import { OllamaEmbedderOptions } from "./OllamaEmbedderOptions.ts"

/** The embedder `ollama`: a model of an Ollama server. */
export const ollamaEmbedder = definePlugin({
  kind: "embedder",
  name: "ollama",
  description: "Vectors of an embedding model on an Ollama server",
  options: OllamaEmbedderOptions,
  load: () => import("./ollamaEmbedderLayer.ts").then(({ ollamaEmbedderLayer }) => ollamaEmbedderLayer)
})
