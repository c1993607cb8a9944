/** What a run is asked to do. */
export interface RunOptions {
  /** Names of sources to look at; all when absent. */
  readonly sources?: ReadonlyArray<string> | undefined
  /** Load and chunk every file again, changed or not. Vectors of unchanged texts still come from the cache. */
  readonly full?: boolean | undefined
  /** Begin with an empty index, whatever state the old one is in; the old one answers until the new one is complete. */
  readonly rebuild?: boolean | undefined
}
