/** The chunks of a document that speak for it. */
const voices = 5

/** What the mean of their scores adds to each chunk of the document. */
const share = 0.5

/**
 * Lets a document speak for its chunks: to the score of each hit, half the mean of the five best scores of its document
 * is added (a document with fewer hits has zeros for the rest), and the hits are put in order again. A passage among
 * others that match stands before one that matches alone. `hits` best first, their scores 0 or more; equal scores keep
 * their order.
 */
export const supportByDocument = <Hit extends { readonly score: number }>(
  hits: ReadonlyArray<Hit>,
  documentOf: (hit: Hit) => string
): ReadonlyArray<Hit> => {
  const support = new Map<string, { count: number; sum: number }>()
  for (const hit of hits) {
    const document = documentOf(hit)
    const { count, sum } = support.get(document) ?? { count: 0, sum: 0 }
    if (count < voices) support.set(document, { count: count + 1, sum: sum + hit.score })
  }
  return hits
    .map((hit) => ({
      ...hit,
      score: hit.score + (share / voices) * (support.get(documentOf(hit))?.sum ?? 0)
    }))
    .toSorted((left, right) => right.score - left.score)
}
