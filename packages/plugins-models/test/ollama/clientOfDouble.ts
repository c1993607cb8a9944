import { Stream } from "effect"
import { makeOllamaClient, type OllamaClientOptions } from "../../src/ollama/OllamaClient.ts"

/** In seconds. */
export const timeouts = { connect: 5, firstByte: 600, idle: 120, total: 3600 }

/** A client that repeats nothing unless told. */
export const clientFor = (url: string, options: Partial<OllamaClientOptions> = {}) =>
  makeOllamaClient({ url, timeouts, retries: 0, retryDelay: 1, ...options })

/** A request for an answer. */
export const question = { model: "m", messages: [{ role: "user", content: "?" }] }

/** The texts of the lines of an answer. */
export const texts = (client: ReturnType<typeof clientFor>) =>
  Stream.runCollect(Stream.map(client.chat(question), (line) => line.message.content))
