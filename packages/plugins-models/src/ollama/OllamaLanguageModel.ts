import { Effect, Semaphore, Stream } from "effect"
import { AiError, LanguageModel, type Prompt, type Response, Tool } from "effect/ai"
import type { ChatRequest, ChatResponse, Message } from "ollama/browser"
import type { OllamaClient } from "./OllamaClient.ts"
import { type OllamaError, toAiError } from "./OllamaError.ts"
import { type Spoken, ThoughtTags } from "./ThoughtTags.ts"

export interface OllamaLanguageModelOptions {
  readonly model: string
  /** Answers written at the same time; more have to wait. */
  readonly concurrency: number
  readonly keepAlive: string | number | undefined
  /** Whether a model that can show its thinking does so; with undefined the model decides. */
  readonly think: boolean | undefined
  /** The `options` of the API: num_ctx, temperature, seed and so on. */
  readonly parameters: Record<string, unknown>
}

const refuse = (method: string, description: string) =>
  AiError.make({ module: "Ollama", method, reason: new AiError.InvalidUserInputError({ description }) })

/**
 * Servers that know these fields refuse a prompt that is longer than the context, instead of leaving out its beginning
 * without notice. They also end an answer at the end of the context, instead of forgetting the prompt. Older servers
 * ignore the fields. The client's types do not have them.
 */
const honest = { truncate: false, shift: false }

/** The messages of a prompt; only text can be sent. */
const toMessages = (method: string, prompt: Prompt.Prompt): Effect.Effect<Array<Message>, AiError.AiError> =>
  Effect.forEach(prompt.content, (message) => {
    if (message.role === "system") return Effect.succeed({ role: "system", content: message.content })
    if (message.role === "tool") return Effect.fail(refuse(method, "tools are not supported"))
    const parts = message.content.filter((part) => part.type !== "reasoning")
    return parts.every((part) => part.type === "text")
      ? Effect.succeed({ role: message.role, content: parts.map((part) => part.text).join("") })
      : Effect.fail(refuse(method, "only text can be sent"))
  })

const count = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)

const usageOf = (line: ChatResponse) => {
  const [input, output] = [count(line.prompt_eval_count), count(line.eval_count)]
  return {
    inputTokens: { total: input, uncached: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined }
  }
}

const finishReason = (line: ChatResponse): typeof Response.FinishReason.Encoded =>
  line.done_reason === "length" ? "length" : line.done_reason === "stop" ? "stop" : "unknown"

/** The content of the lines of an answer, in order: thoughts and text. */
const spokenIn = (): ((line: ChatResponse) => ReadonlyArray<Spoken>) => {
  const tags = new ThoughtTags()
  return (line) => {
    // all three may be absent from a line
    const { thinking, content } = (line.message as Partial<Message> | undefined) ?? {}
    return [
      ...(thinking ? [{ kind: "reasoning" as const, text: thinking }] : []),
      ...(content ? tags.push(content) : []),
      ...(line.done ? tags.end() : [])
    ]
  }
}

/** The parts of a stream for the lines of an answer: thoughts, then text, then the end. */
const partsOf = (): ((line: ChatResponse) => Array<Response.StreamPartEncoded>) => {
  const spoken = spokenIn()
  let open: Spoken["kind"] | undefined
  const change = (to: typeof open): Array<Response.StreamPartEncoded> => {
    if (open === to) return []
    const parts: Array<Response.StreamPartEncoded> = []
    if (open !== undefined) parts.push({ type: `${open}-end`, id: open })
    if (to !== undefined) parts.push({ type: `${to}-start`, id: to })
    open = to
    return parts
  }
  return (line) => {
    const parts: Array<Response.StreamPartEncoded> = []
    for (const { kind, text } of spoken(line)) {
      parts.push(...change(kind), { type: `${kind}-delta`, id: kind, delta: text })
    }
    if (line.done) {
      parts.push(...change(undefined), { type: "finish", reason: finishReason(line), usage: usageOf(line) })
    }
    return parts
  }
}

/**
 * A `LanguageModel` of effect/ai on `/api/chat`. Answers that are requested as a whole are streamed from the server,
 * too, so that pauses and cancellation are noticed. Tools are not supported; a response format is passed on as a JSON
 * schema.
 */
export const makeOllamaLanguageModel = (
  client: OllamaClient,
  options: OllamaLanguageModelOptions
): Effect.Effect<LanguageModel.LanguageModel> => {
  const turns = Semaphore.makeUnsafe(options.concurrency)

  const request = Effect.fnUntraced(function* (
    method: string,
    { prompt, responseFormat, tools }: LanguageModel.ProviderOptions
  ): Effect.fn.Return<Omit<ChatRequest, "stream">, AiError.AiError> {
    if (tools.length > 0) return yield* refuse(method, "tools are not supported")
    return {
      ...honest,
      model: options.model,
      messages: yield* toMessages(method, prompt),
      options: options.parameters,
      ...(options.keepAlive === undefined ? {} : { keep_alive: options.keepAlive }),
      ...(options.think === undefined ? {} : { think: options.think }),
      ...(responseFormat.type === "json"
        ? { format: Tool.getJsonSchemaFromSchema(responseFormat.schema) }
        : {})
    }
  })

  const lines = (method: string, providerOptions: LanguageModel.ProviderOptions) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const chat = yield* request(method, providerOptions)
        yield* turns.takeScoped(1)
        return Stream.mapError(client.chat(chat), (error: OllamaError) =>
          toAiError(method, client.url)(error)
        )
      })
    )

  return LanguageModel.make({
    generateText: (providerOptions) =>
      Effect.map(
        Stream.runCollect(lines("generateText", providerOptions)),
        (all): Array<Response.PartEncoded> => {
          const spoken = all.flatMap(spokenIn())
          const join = (kind: Spoken["kind"]) =>
            spoken.map((piece) => (piece.kind === kind ? piece.text : "")).join("")
          const reasoning = join("reasoning")
          const last = all.at(-1)
          return [
            ...(reasoning === "" ? [] : [{ type: "reasoning" as const, text: reasoning }]),
            { type: "text", text: join("text") },
            ...(last === undefined
              ? []
              : [{ type: "finish" as const, reason: finishReason(last), usage: usageOf(last) }])
          ]
        }
      ),
    streamText: (providerOptions) =>
      Stream.suspend(() => {
        const parts = partsOf()
        return Stream.flatMap(lines("streamText", providerOptions), (line) =>
          Stream.fromIterable(parts(line))
        )
      })
  })
}
