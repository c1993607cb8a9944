import { Context, Effect } from "effect"

/** What a prompt has to fit into: provided next to a `LanguageModel` by every `languageModel` plugin. */
export class ModelContext extends Context.Service<
  ModelContext,
  {
    /** Name of the model, for messages and spans. */
    readonly model: string
    /** Tokens of prompt and answer together. */
    readonly contextTokens: number
    /**
     * The tokens the model was made for, where it can be asked: a server may hold it to them, whatever `contextTokens`
     * says. Asked with every prompt; undefined while nobody knows.
     */
    readonly ownTokens?: Effect.Effect<number | undefined>
    /** The part of `contextTokens` that is kept free for the answer. */
    readonly reservedOutputTokens: number
    /** An upper estimate of the tokens of a text; exact only where the model's tokenizer is at hand. */
    readonly estimateTokens: (text: string) => number
  }
>()("@omnirag/core/ports/ModelContext") {}

/** Tokens that a prompt may have: the smaller of the two contexts, less the room for the answer. */
export const promptTokens = ({
  contextTokens,
  ownTokens,
  reservedOutputTokens
}: ModelContext["Service"]): Effect.Effect<number> =>
  Effect.map(
    ownTokens ?? Effect.succeed(undefined),
    (own) => Math.min(contextTokens, own ?? contextTokens) - reservedOutputTokens
  )
