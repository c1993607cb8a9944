import { Schema } from "effect"
import { AiError } from "effect/ai"

/**
 * Why a call to Ollama failed.
 *
 * - `unreachable`: no connection. Nothing was asked.
 * - `timeout`: one of the configured timeouts passed.
 * - `closed`: the connection ended before the answer did.
 * - `missingModel`: the server does not have the model.
 * - `contextExceeded`: the text is longer than the model's context.
 * - `server`: the server reported an error of its own.
 * - `request`: the server refused the request.
 * - `protocol`: the answer is not what the API promises.
 */
export class OllamaError extends Schema.TaggedError<OllamaError>()("OllamaError", {
  reason: Schema.Literals([
    "unreachable",
    "timeout",
    "closed",
    "missingModel",
    "contextExceeded",
    "server",
    "request",
    "protocol"
  ]),
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  /** True when the same call may succeed a little later. */
  get retryable(): boolean {
    return this.reason === "unreachable" || this.reason === "closed" || this.reason === "server"
  }
}

/** The `constraint` of the request error that says a prompt is longer than the context; core looks for it. */
const contextConstraint = "contextLength"

const aiReason = (error: OllamaError, url: string): AiError.AiErrorReason => {
  const description = error.message
  switch (error.reason) {
    case "unreachable":
    case "timeout":
    case "closed":
      return new AiError.NetworkError({
        reason: "TransportError",
        method: "POST",
        url,
        description,
        cause: error
      })
    case "contextExceeded":
      return new AiError.InvalidRequestError({
        parameter: "prompt",
        constraint: contextConstraint,
        description
      })
    case "missingModel":
    case "request":
      return new AiError.InvalidRequestError({ description })
    case "server":
      return new AiError.InternalProviderError({ description })
    case "protocol":
      return new AiError.InvalidResponseError({ description })
  }
}

/** The failure as effect/ai reports those of every provider; the message is kept as the description. */
export const toAiError = (method: string, url: string) => (error: OllamaError) =>
  AiError.make({ module: "Ollama", method, reason: aiReason(error, url) })

const isAboutContext = (text: string): boolean =>
  /context (?:length|window|size)|input (?:is too large|length exceeds)/i.test(text)

/** The error that a line in the middle of an answer reports. */
export const lineError = (text: string): OllamaError =>
  new OllamaError({
    reason: isAboutContext(text) ? "contextExceeded" : "server",
    message: `Ollama broke off the answer: ${text}`
  })

/** The error a response with another status than 2xx stands for. */
export const statusError = (status: number, text: string, model: string | undefined): OllamaError => {
  if (status === 404 && model !== undefined && /model/i.test(text)) {
    return new OllamaError({
      reason: "missingModel",
      message: `Ollama does not have the model "${model}"; run: ollama pull ${model}`
    })
  }
  if (isAboutContext(text)) {
    return new OllamaError({ reason: "contextExceeded", message: `Ollama: ${text}` })
  }
  return new OllamaError({
    reason: status >= 500 || status === 429 ? "server" : "request",
    message: `Ollama answered with status ${status}: ${text}`
  })
}
