import { Predicate, Schema } from "effect"

/**
 * Core does not know whether a person at a terminal, a program or a web page gets the message, so each of these interfaces
 * says the remedy in its own words.
 */
export const Remedy = Schema.Union([
  Schema.Literal("index").annotate({ description: "Bring the index up to date with its sources." }),
  Schema.Literal("rebuild").annotate({ description: "Build the index from nothing, beside the old one." }),
  Schema.Literal("update").annotate({ description: "Use a newer version of the program." }),
  Schema.Literal("chooseGeneration").annotate({
    description: "Say which of several generations is the right one."
  })
]).annotate({ description: "What would help, as a code." })
export type Remedy = typeof Remedy.Type

/** The remedy that an error, a notice or a check carries; undefined where nothing but its message helps. */
export const remedyOf = (carrier: unknown): Remedy | undefined =>
  Predicate.hasProperty(carrier, "remedy") && Schema.is(Remedy)(carrier.remedy) ? carrier.remedy : undefined

/** A message with what would help, worded by `words`. */
export const withRemedy = (
  carrier: { readonly message: string },
  words: Readonly<Record<Remedy, string>>
): string => {
  const remedy = remedyOf(carrier)
  return remedy === undefined ? carrier.message : `${carrier.message}; ${words[remedy]}`
}
