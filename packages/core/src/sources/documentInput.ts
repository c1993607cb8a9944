import { Effect } from "effect"
import { DocumentInput } from "../domain/DocumentInput.ts"
import { InvalidInput } from "../domain/errors.ts"

export { DocumentInput }

/** The bounds of a document given through the API. */
export const documentLimits = { nameLength: 200, pathLength: 1_000, textLength: 20_000_000 } as const

/** Refuses a document whose source, path or text is out of bounds. */
export const checkDocumentInput = (input: DocumentInput): Effect.Effect<void, InvalidInput> => {
  const fault = (field: string, message: string) => Effect.fail(new InvalidInput({ field, message }))
  if (input.source === "" || input.source.includes("/") || input.source.length > documentLimits.nameLength) {
    return fault("source", `must have 1 to ${documentLimits.nameLength} characters, none of them a slash`)
  }
  const parts = input.path.split("/")
  if (input.path.length > documentLimits.pathLength || parts.some((part) => ["", ".", ".."].includes(part))) {
    return fault(
      "path",
      `must be a relative path of at most ${documentLimits.pathLength} characters without . or ..`
    )
  }
  if (input.text.length > documentLimits.textLength) {
    return fault("text", `must have at most ${documentLimits.textLength} UTF-16 units`)
  }
  return Effect.void
}
