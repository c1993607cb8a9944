import { Effect, Layer, Stream } from "effect"
import * as AiError from "effect/ai/AiError"
import * as LanguageModel from "effect/ai/LanguageModel"
import { AnswerError } from "../domain/errors.ts"
import { AnswerGenerator, type AnswerPart, type AnswerRequest } from "../ports/AnswerGenerator.ts"
import { ModelContext, promptTokens } from "../ports/ModelContext.ts"
import { isContextExceeded, toAnswerError } from "../prompting/modelFailure.ts"
import { abstention, buildPrompt, type FittedPrompt } from "../prompting/prompt.ts"

/** Share of the budget that is tried next when the model finds a prompt too long, and how often. */
const shrink = 0.7
const shrinkings = 3

const list = (numbers: ReadonlyArray<number>): string => numbers.map((number) => `[${number}]`).join(" ")

/** What comes before the text: which passages the model saw, and what it did not see. */
const prelude = (prompt: FittedPrompt): Array<AnswerPart> => [
  { _tag: "Passages", numbers: prompt.shown },
  ...(prompt.dropped.length === 0
    ? []
    : [
        {
          _tag: "Warning" as const,
          message: `the model's context is too small for ${prompt.dropped.length} of the passages, which were left out: ${list(prompt.dropped)}`
        }
      ]),
  ...(prompt.cut === undefined
    ? []
    : [
        {
          _tag: "Warning" as const,
          message: `the model's context is too small for passage [${prompt.cut}]; the model saw only its beginning`
        }
      ])
]

/** A text that is the abstention, also with a reason after it: models like to explain themselves. */
const isAbstention = (text: string): boolean =>
  /^[\s"'*`_]*not\s+in\s+the\s+passages["'*`_]*(?:\s*$|\s*[.!:;,(\n–—]|\s+-)/i.test(text)

/** True while the text may still turn out to be the abstention. */
const mayAbstain = (text: string): boolean =>
  abstention.startsWith(
    text
      .replace(/["'*`_]/g, "")
      .trim()
      .replace(/\s+/g, " ")
      .toUpperCase()
  )

type ModelPart =
  | { readonly _tag: "Text"; readonly text: string }
  | {
      readonly _tag: "Finish"
      readonly length: boolean
      /** The provider has kept back the rest of what the model said. */
      readonly filtered: boolean
      readonly input: number | undefined
      readonly output: number | undefined
    }

/** The failure that a provider reports in the stream instead of failing it. */
const reported = (error: unknown): AnswerError =>
  AiError.isAiError(error)
    ? toAnswerError("llm")(error)
    : new AnswerError({
        generator: "llm",
        message: `the model broke off its answer: ${error instanceof Error ? error.message : typeof error === "string" ? error : JSON.stringify(error)}`,
        retryable: false,
        cause: error
      })

/** Text and end of a model's stream; thoughts and other parts are left out. */
const modelParts = (
  model: LanguageModel.LanguageModel,
  prompt: FittedPrompt
): Stream.Stream<ModelPart, AiError.AiError | AnswerError> =>
  model
    .streamText({
      prompt: [
        { role: "system", content: prompt.system },
        { role: "user", content: prompt.user }
      ]
    })
    .pipe(
      Stream.flatMap((part): Stream.Stream<ModelPart, AnswerError> => {
        if (part.type === "text-delta") return Stream.succeed({ _tag: "Text", text: part.delta })
        if (part.type === "error") return Stream.fail(reported(part.error))
        if (part.type !== "finish") return Stream.empty
        if (part.reason === "error") return Stream.fail(reported("it ended in an error"))
        return Stream.succeed({
          _tag: "Finish",
          length: part.reason === "length",
          filtered: part.reason === "content-filter",
          input: part.usage.inputTokens.total,
          output: part.usage.outputTokens.total
        })
      }),
      // for providers that end without a finish part; a second one counts for nothing
      Stream.concat(
        Stream.succeed<ModelPart>({
          _tag: "Finish",
          length: false,
          filtered: false,
          input: undefined,
          output: undefined
        })
      )
    )

const abstain: AnswerPart = { _tag: "Abstain", reason: "the model found no answer in the passages" }

/** Turns what the model says into parts of an answer. Holds text back only while it may still be the abstention. */
const answerParts = (prompt: FittedPrompt, fullBudget: number) => {
  let held = ""
  let released = false
  let finished = false
  let exhausted = false
  const release = (): Array<AnswerPart> => {
    const text = held
    held = ""
    if (released) return [{ _tag: "Text", text }]
    released = true
    return [...prelude(prompt), { _tag: "Text", text }]
  }
  return {
    /** True when the model used up its tokens before it came to an answer: it thought too long. */
    isExhausted: () => exhausted,
    next: (part: ModelPart): Array<AnswerPart> => {
      if (part._tag === "Text") {
        held += part.text
        if (released) return release()
        // as long as only blanks follow, more words may, which would make it a sentence like any other
        if (mayAbstain(held)) return []
        return isAbstention(held) ? [abstain] : release()
      }
      if (finished) return []
      finished = true
      if (!released && isAbstention(held)) return [abstain]
      if (!released && held.trim() === "") {
        exhausted = part.length
        return []
      }
      const parts = released && held === "" ? [] : release()
      if (part.length) {
        parts.push({
          _tag: "Warning",
          message: "the answer was cut off: it reached the most tokens it may have"
        })
      }
      if (part.filtered) {
        parts.push({
          _tag: "Warning",
          message: "the answer was cut off: the provider of the model filtered the rest"
        })
      }
      if (part.input !== undefined && part.input > fullBudget) {
        parts.push({
          _tag: "Warning",
          message: `the prompt took ${part.input} tokens instead of the ${fullBudget} it may have; the model may not have seen all of it`
        })
      }
      if (part.input !== undefined && part.output !== undefined) {
        parts.push({ _tag: "Usage", usage: { input: part.input, output: part.output } })
      }
      return parts
    }
  }
}

/** Makes the generator `llm` from any language model of effect/ai. */
export const makeLlmAnswers = (
  model: LanguageModel.LanguageModel,
  context: ModelContext["Service"],
  options: { readonly instructions: string }
): AnswerGenerator["Service"] => {
  const attempt = (
    request: AnswerRequest,
    fullBudget: number,
    budget: number,
    shrinkingsLeft: number
  ): Stream.Stream<AnswerPart, AnswerError> =>
    Stream.suspend(() => {
      const prompt = buildPrompt(request, {
        instructions: options.instructions,
        budget,
        estimateTokens: context.estimateTokens
      })
      if (prompt === undefined) {
        return Stream.fail(
          new AnswerError({
            generator: "llm",
            message: `the instructions, the question and one passage do not fit into the ${Math.max(0, budget)} tokens that the context of ${context.model} has for the prompt; give it a larger context or shorten the instructions`,
            retryable: false
          })
        )
      }
      const parts = answerParts(prompt, fullBudget)
      let begun = false
      return modelParts(model, prompt).pipe(
        Stream.flatMap((part) => {
          const next = parts.next(part)
          begun ||= next.length > 0
          return Stream.fromIterable(next)
        }),
        // what a model explains after it is of no use: stop it
        Stream.takeUntil((part) => part._tag === "Abstain"),
        Stream.concat(
          Stream.suspend(() =>
            begun
              ? Stream.empty
              : Stream.fail(
                  new AnswerError({
                    generator: "llm",
                    message: parts.isExhausted()
                      ? `${context.model} used up the ${context.reservedOutputTokens} tokens of an answer before it came to one; give it more, or keep it from thinking`
                      : `${context.model} ended without an answer`,
                    retryable: !parts.isExhausted()
                  })
                )
          )
        ),
        Stream.catchTag("AiError", (error) =>
          isContextExceeded(error) && !begun && shrinkingsLeft > 0
            ? attempt(request, fullBudget, Math.floor(budget * shrink), shrinkingsLeft - 1)
            : Stream.fail(toAnswerError("llm")(error))
        )
      )
    })

  return AnswerGenerator.of({
    name: "llm",
    generate: (request) =>
      request.passages.length === 0
        ? Stream.succeed({ _tag: "Abstain", reason: "there are no passages to answer from" })
        : Stream.unwrap(
            Effect.map(promptTokens(context), (budget) => attempt(request, budget, budget, shrinkings))
          )
  })
}

/** The answer generator `llm` with these options. */
export const llmAnswersLayer = (options: { readonly instructions: string }) =>
  Layer.effect(
    AnswerGenerator,
    Effect.gen(function* () {
      return makeLlmAnswers(yield* LanguageModel.LanguageModel, yield* ModelContext, options)
    })
  )
