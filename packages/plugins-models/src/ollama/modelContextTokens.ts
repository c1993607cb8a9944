import { Predicate } from "effect"
import type { ShowResponse } from "ollama/browser"

/** The context of a model in tokens, from `/api/show`; undefined when that does not say it. */
export const modelContextTokens = (shown: ShowResponse): number | undefined => {
  // declared as a Map, sent as an object
  const info: unknown = shown.model_info
  if (!Predicate.isObject(info)) return undefined
  const key = Object.keys(info).find((name) => /^[^.]+\.context_length$/.test(name))
  const tokens = key === undefined ? undefined : info[key]
  return typeof tokens === "number" && tokens > 0 ? tokens : undefined
}
