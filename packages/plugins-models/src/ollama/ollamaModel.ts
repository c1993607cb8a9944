import { definePlugin } from "@omnirag/core/plugin"
import { OllamaModelOptions } from "./OllamaModelOptions.ts"

/** The language model `ollama`: a chat model of an Ollama server. */
export const ollamaModel = definePlugin({
  kind: "languageModel",
  name: "ollama",
  description: "A chat model on an Ollama server",
  options: OllamaModelOptions,
  load: () => import("./ollamaModelLayer.ts").then(({ ollamaModelLayer }) => ollamaModelLayer)
})
