import type { AiError } from "effect/ai"
import { AnswerError } from "../domain/errors.ts"

/** What a provider says about a failure, without the words effect/ai puts around it. */
export const failureText = ({ reason }: AiError.AiError): string =>
  "description" in reason && typeof reason.description === "string" ? reason.description : reason.message

/** True when the prompt was longer than the model's context. */
export const isContextExceeded = ({ reason }: AiError.AiError): boolean =>
  reason._tag === "InvalidRequestError" && reason.constraint === "contextLength"

/** A failure of a language model as the error of the answer generator that asked it. */
export const toAnswerError = (generator: string) => (error: AiError.AiError) =>
  new AnswerError({
    generator,
    message: failureText(error),
    retryable: error.reason.isRetryable,
    cause: error
  })
