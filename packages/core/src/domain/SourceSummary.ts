/** What is indexed of a source. */
export interface SourceSummary {
  readonly name: string
  readonly documents: number
  readonly chunks: number
  /** The revision it was last read at (a commit id), where known. */
  readonly revision: string | null
}
