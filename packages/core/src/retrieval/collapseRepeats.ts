import type { Hit, Place } from "../domain/Hit.ts"

const placeOf = ({ chunk, path }: Hit): Place => ({
  chunkId: chunk.id,
  documentId: chunk.documentId,
  path,
  startLine: chunk.startLine,
  endLine: chunk.endLine
})

/** White space and case do not make two texts different. */
const normalise = (text: string): string => text.replace(/\s+/g, " ").trim().toLowerCase()

/**
 * Joins hits of one source that hold the same text: the best stays, the others become its further places. Equal texts of
 * different sources are different hits.
 */
export const collapseRepeats = (hits: ReadonlyArray<Hit>): ReadonlyArray<Hit> => {
  const first = new Map<string, { readonly hit: Hit; readonly places: Array<Place> }>()
  for (const hit of hits) {
    const key = `${hit.repo}\0${normalise(hit.chunk.text)}`
    const known = first.get(key)
    if (known === undefined) first.set(key, { hit, places: [] })
    else known.places.push(placeOf(hit))
  }
  return Array.from(first.values(), ({ hit, places }) =>
    places.length === 0 ? hit : { ...hit, alsoIn: [...hit.alsoIn, ...places] }
  )
}
