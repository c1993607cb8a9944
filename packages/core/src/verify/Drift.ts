/** The most ids a report lists of each kind. */
const listed = 100

/** Ids that should not be as they are: how many, and the first of them. */
export interface Drift {
  readonly count: number
  readonly first: ReadonlyArray<string>
}

export const noDrift: Drift = { count: 0, first: [] }

/** The drift with one more id. */
export const addDrift = ({ count, first }: Drift, id: string): Drift => ({
  count: count + 1,
  first: first.length < listed ? [...first, id] : first
})

/** All ids of a list as drift. */
export const driftOf = (ids: ReadonlyArray<string>): Drift => ({
  count: ids.length,
  first: ids.slice(0, listed)
})
