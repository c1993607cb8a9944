/** Ids or hashes looked up by one statement, and rows read by one page of a stream. */
export const batch = 500

/** The items in groups of `batch`. */
export const batches = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / batch) }, (_, index) =>
    items.slice(index * batch, (index + 1) * batch)
  )
