import { Effect } from "effect"
import type { CatalogError, InvalidInput } from "../domain/errors.ts"
import type { Filter } from "../domain/Filter.ts"
import type { Hit, Place } from "../domain/Hit.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"

/** The most further places that a hit lists. */
export const listedPlaces = 20

/** Hits of one source that hold the same text, best first. */
export type SameText = readonly [best: Hit, ...others: ReadonlyArray<Hit>]

const placeOf = ({ chunk, path }: Hit): Place => ({
  chunkId: chunk.id,
  documentId: chunk.documentId,
  path,
  startLine: chunk.startLine,
  endLine: chunk.endLine
})

/** White space and case do not make two texts different. */
const normalise = (text: string): string => text.replace(/\s+/g, " ").trim().toLowerCase()

/** Letters and digits at the beginning of a text that tell most texts apart without reading all of them. */
const beginning = (text: string): string => text.slice(0, 300).replace(/\s+/g, "").toLowerCase().slice(0, 100)

/** Joins hits of one source that hold the same text. Equal texts of different sources are different hits. */
export const collapseRepeats = (hits: ReadonlyArray<Hit>): ReadonlyArray<SameText> => {
  const alike = new Map<string, number>()
  const beginnings = hits.map((hit) => `${hit.repo}\0${beginning(hit.chunk.text)}`)
  for (const key of beginnings) alike.set(key, (alike.get(key) ?? 0) + 1)
  const groups = new Map<string, [Hit, ...Array<Hit>]>()
  for (const [index, hit] of hits.entries()) {
    const start = beginnings[index] ?? ""
    const key = alike.get(start) === 1 ? start : `${start}\0${normalise(hit.chunk.text)}`
    const known = groups.get(key)
    if (known === undefined) groups.set(key, [hit])
    else known.push(hit)
  }
  return [...groups.values()]
}

/** The best hit of each group with its further places: all that the catalog knows are counted, the first are listed. */
export const withPlaces = Effect.fn("Retriever.places")(function* (
  catalog: Catalog,
  groups: ReadonlyArray<SameText>,
  where: Filter | undefined
): Effect.fn.Return<ReadonlyArray<Hit>, CatalogError | InvalidInput> {
  // one of each wording that only white space or case tells apart
  const wordings = groups.map((group) => [
    ...new Map(group.toReversed().map((hit) => [hit.chunk.text, hit])).values()
  ])
  const copies = yield* catalog.chunks.copiesOf(
    wordings.flat().map((hit) => hit.chunk.id),
    { limit: listedPlaces, where }
  )
  return groups.map(([best], index): Hit => {
    const others = (wordings[index] ?? []).filter((hit) => hit !== best)
    const known = [best, ...others].map((hit) => copies.get(hit.chunk.id) ?? { total: 0, places: [] })
    return {
      ...best,
      alsoIn: [...others.map(placeOf), ...known.flatMap(({ places }) => places)].slice(0, listedPlaces),
      alsoInCount: known.reduce((sum, { total }) => sum + total, others.length)
    }
  })
})
