/** Names one generation of one index, the same for every process and every provider. */
export interface GenerationRef {
  /** Random name of the index: two indexes that share a server never share a table or a collection. */
  readonly index: string
  /** `g-` and a number that only grows. */
  readonly id: string
}
