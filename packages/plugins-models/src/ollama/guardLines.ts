import { Predicate } from "effect"
import { lineError, OllamaError } from "./OllamaError.ts"

/** Longest line that is accepted, in UTF-16 units. */
export const longestLine = 8 * 1024 * 1024

const protocol = (message: string, cause?: unknown) =>
  new OllamaError({ reason: "protocol", message, ...(cause === undefined ? {} : { cause }) })

const isTextOrAbsent = (value: unknown): boolean =>
  value === undefined || value === null || typeof value === "string"

/** A message whose parts, if present, are texts. */
const isMessage = (value: unknown): boolean =>
  Predicate.isObject(value) && isTextOrAbsent(value["content"]) && isTextOrAbsent(value["thinking"])

/**
 * Throws unless the line is a JSON object with a message, or the last line without one. Returns the line in the form
 * that the client expects, and whether it ends the stream.
 */
const check = (line: string): { readonly line: string; readonly last: boolean } => {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (cause) {
    throw protocol(`Ollama sent a line that is not JSON: ${line.slice(0, 80)}`, cause)
  }
  if (!Predicate.isObject(value))
    throw protocol(`Ollama sent a line that is not an object: ${line.slice(0, 80)}`)
  const { done, error, message } = value
  if (error !== undefined && error !== null && error !== "") throw lineError(error)
  if (!isMessage(message) && !(done === true && message === undefined)) {
    throw protocol(`Ollama sent a line without a message: ${line.slice(0, 80)}`)
  }
  // an `error` without content: the client would report a failure because of the key alone
  return {
    line: "error" in value ? JSON.stringify({ ...value, error: undefined }) : line,
    last: done === true
  }
}

/**
 * Passes on a stream of JSON lines, one whole line at a time, up to the line with `done: true`. Throws for everything
 * that the client would ignore or only print: a line that is not JSON, bytes that are not UTF-8, a line without end, an
 * error line, an end without `done: true`.
 */
export async function* guardLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  const encoder = new TextEncoder()
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch (cause) {
      throw protocol("Ollama sent bytes that are not UTF-8", cause)
    }
  }
  // parts of the line that is not complete yet; they are joined once, so that the time stays linear when bytes come one
  // by one
  let open: Array<string> = []
  let openLength = 0
  for await (const chunk of chunks) {
    const lines = decode(chunk).split("\n")
    for (const [index, piece] of lines.entries()) {
      open.push(piece)
      openLength += piece.length
      if (openLength > longestLine)
        throw protocol(`Ollama sent a line of more than ${longestLine} characters`)
      if (index === lines.length - 1) break
      const line = open.join("")
      open = []
      openLength = 0
      if (line.trim() === "") continue
      const checked = check(line)
      yield encoder.encode(`${checked.line}\n`)
      if (checked.last) return
    }
  }
  const rest = open.join("") + decode()
  if (rest.trim() !== "") {
    const checked = check(rest)
    if (checked.last) return yield encoder.encode(`${checked.line}\n`)
  }
  throw new OllamaError({ reason: "closed", message: "Ollama ended the answer before it was complete" })
}

/** Largest body that is accepted for an answer in one piece, in bytes. */
export const largestBody = 256 * 1024 * 1024

/** Passes on bytes and throws when there are too many. */
export async function* guardSize(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > largestBody) throw protocol(`Ollama sent more than ${largestBody} bytes`)
    yield chunk
  }
}
