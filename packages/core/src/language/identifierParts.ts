/** A name with more parts than this is noise (base64, hashes). */
const maximumParts = 8

/**
 * `HTTPServer` → HTTP|Server, `fooBar` → foo|Bar, `sha256` → sha|256, `parseURLs` → parse|URLs, but `GPUs`, `v2`, `k8s` and
 * `3d` stay whole.
 */
const boundary =
  /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{Ll}))|(?<=\p{L}{2})(?=\p{N})/u

/** The parts of a name that is written as one word; only the word itself when it has no parts. */
export const identifierParts = (word: string): ReadonlyArray<string> => {
  const parts = word.split(boundary)
  return parts.length > maximumParts ? [word] : parts
}
