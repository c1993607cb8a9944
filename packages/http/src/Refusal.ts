/** Why a request is turned away before anything reads it; each API gives it the shape of its own errors. */
export interface Refusal {
  /** HTTP status. */
  readonly status: number
  /** Stable, for programs. */
  readonly code: string
  readonly message: string
}
