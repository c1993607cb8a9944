import { Context } from "effect"

/** What a prompt has to fit into: provided next to a `LanguageModel` by every `languageModel` plugin. */
export class ModelContext extends Context.Service<
  ModelContext,
  {
    /** Name of the model, for messages and spans. */
    readonly model: string
    /** Tokens of prompt and answer together. */
    readonly contextTokens: number
    /** The part of `contextTokens` that is kept free for the answer. */
    readonly reservedOutputTokens: number
    /** An upper estimate of the tokens of a text; exact only where the model's tokenizer is at hand. */
    readonly estimateTokens: (text: string) => number
  }
>()("@omnirag/core/ports/ModelContext") {}
