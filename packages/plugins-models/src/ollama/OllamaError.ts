import { Predicate, Schema } from "effect"
import { AiError } from "effect/ai"
import { withoutLogin } from "./ollamaUrl.ts"

/**
 * Why a call to Ollama failed.
 *
 * - `unreachable`: no connection. The server did not get the request.
 * - `timeout`: one of the configured timeouts passed.
 * - `closed`: the connection ended before the answer did.
 * - `missingModel`: the server does not have the model.
 * - `contextExceeded`: the text is longer than the model's context.
 * - `server`: the server reported that it failed.
 * - `request`: the server refused the request.
 * - `protocol`: the answer does not follow the API.
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

/** The `constraint` of a request error for a prompt that is longer than the context; core looks for it. */
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

/** The failure in the form that effect/ai uses for every provider; the message becomes the description. */
export const toAiError = (method: string, url: string) => (error: OllamaError) =>
  AiError.make({ module: "Ollama", method, reason: aiReason(error, url) })

const isAboutContext = (text: string): boolean =>
  /context (?:length|window|size)|input (?:is too large|length exceeds)/i.test(text)

/** The text of an `error` of the API, which is a text or an object with a `message`. */
const errorMessage = (error: unknown): string =>
  typeof error === "string"
    ? error
    : Predicate.hasProperty(error, "message") && typeof error.message === "string"
      ? error.message
      : (JSON.stringify(error) ?? String(error))

/** The error that a line in the middle of an answer reports. */
export const lineError = (error: unknown): OllamaError => {
  const text = errorMessage(error)
  return new OllamaError({
    reason: isAboutContext(text) ? "contextExceeded" : "server",
    message: `Ollama broke off the answer: ${text}`
  })
}

/** What a call was about; used in messages. */
export interface Refused {
  readonly host: string
  readonly model: string | undefined
  /** The target of a redirection. */
  readonly location: string | undefined
}

/** The `error` of a JSON body, also when it is an object with a message; undefined when the body is not JSON. */
const errorOfJson = (body: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(body)
    return Predicate.hasProperty(value, "error") ? errorMessage(value.error) : undefined
  } catch {
    // not JSON: the text itself is the message
    return undefined
  }
}

/** The text of a web page without its markup, on one line. */
const plainText = (body: string): string =>
  body
    .replace(/<(style|script)\b.*?<\/\1>|<[^>]*>/gis, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 500)

/** The error for a response whose status is not 2xx. */
export const statusError = (
  status: number,
  body: string,
  { host, location, model }: Refused
): OllamaError => {
  const said = errorOfJson(body)
  const text = said ?? plainText(body)
  // only Ollama's own words: a page of another program at this address may mention models, too
  if (status === 404 && model !== undefined && said !== undefined && /model/i.test(said)) {
    return new OllamaError({
      reason: "missingModel",
      message: `Ollama does not have the model "${model}"; run: ollama pull ${model}`
    })
  }
  if (isAboutContext(text)) {
    return new OllamaError({ reason: "contextExceeded", message: `Ollama: ${text}` })
  }
  if (status >= 300 && status <= 399 && location !== undefined) {
    return new OllamaError({
      reason: "request",
      message: `${host} leads elsewhere (status ${status}) and is not followed; set the option url to the address of Ollama: ${withoutLogin(location)}`
    })
  }
  return new OllamaError({
    reason: status >= 500 || status === 429 ? "server" : "request",
    message: `Ollama answered with status ${status}${text === "" ? "" : `: ${text}`}`
  })
}
