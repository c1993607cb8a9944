/** The parts of core that talk to a language model, with or without a configuration; apart, since effect/ai is large. */
export { makeLlmAnswers } from "./answering/llmAnswers.ts"
export { unavailableLanguageModel } from "./prompting/unavailableLanguageModel.ts"
export { makeLlmReranker, parseRanking } from "./retrieval/llmReranker.ts"
