import { definePlugin } from "../plugin/definePlugin.ts"
import { LlmRerankerOptions } from "./LlmRerankerOptions.ts"

/** The reranker `llm`: listwise ranking by the configured language model. */
export const llmReranker = definePlugin({
  kind: "reranker",
  name: "llm",
  description: "Order of the passages as the configured language model ranks them, all at once",
  options: LlmRerankerOptions,
  load: () => import("./llmReranker.ts").then(({ llmRerankerLayer }) => llmRerankerLayer)
})
