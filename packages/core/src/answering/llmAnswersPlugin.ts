import { Effect, Schema } from "effect"
import { definePlugin } from "../plugin/definePlugin.ts"
import { defaultInstructions } from "../prompting/prompt.ts"

/** The answer generator `llm`: a language model writes the answer from the passages and cites them. */
export const llmAnswers = definePlugin({
  kind: "answers",
  name: "llm",
  description: "Answers written by the configured language model from the passages, with citations",
  options: Schema.Struct({
    instructions: Schema.NonEmptyString.pipe(
      Schema.withDecodingDefaultKey(Effect.succeed(defaultInstructions))
    ).annotate({
      description:
        "What the model is told to do, in the place of the built-in text; how passages are marked and how it abstains is always added"
    })
  }),
  load: () => import("./llmAnswers.ts").then(({ llmAnswersLayer }) => llmAnswersLayer)
})
