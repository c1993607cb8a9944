import { Predicate, Schema } from "effect"

/**
 * What would help, as a code: core does not know whether a person at a terminal, a program or a page is told, so each of
 * them words it for its user.
 *
 * - `index`: bring the index up to date with its sources
 * - `rebuild`: build the index from nothing, beside the old one
 * - `update`: use a newer version of the program
 * - `chooseGeneration`: say which of several generations is the right one
 */
export const Remedy = Schema.Literals(["index", "rebuild", "update", "chooseGeneration"])
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
