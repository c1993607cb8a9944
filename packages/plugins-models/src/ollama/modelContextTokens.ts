import { Predicate } from "effect"
import type { ShowResponse } from "ollama/browser"

/** What is assumed of a model that does not tell. */
const unknownContext = 2048

/** The tokens a model was trained to take at once, from what `/api/show` says of it. */
export const modelContextTokens = (shown: ShowResponse): number => {
  // declared as a Map, sent as an object
  const info: unknown = shown.model_info
  if (!Predicate.isObject(info)) return unknownContext
  const key = Object.keys(info).find((name) => /^[^.]+\.context_length$/.test(name))
  const tokens = key === undefined ? undefined : info[key]
  return typeof tokens === "number" && tokens > 0 ? tokens : unknownContext
}
