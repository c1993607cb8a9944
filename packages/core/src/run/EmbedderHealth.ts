import { EmbeddingError } from "../domain/errors.ts"

/** After so many failed calls in a row that a retry might heal, the embedder counts as down for the rest of the run. */
const givingUpAfter = 5

/** Remembers how the calls of one run went, so that an embedder that is down is not asked for every document. */
export class EmbedderHealth {
  private failuresInARow = 0
  private last: EmbeddingError | null = null

  succeeded(): void {
    this.failuresInARow = 0
  }
  failed(error: EmbeddingError): void {
    this.last = error
    // an error that a retry cannot heal is about the text, not about the embedder
    if (error.retryable) this.failuresInARow++
  }
  /** Why no further call is made; null while calls make sense. */
  get down(): EmbeddingError | null {
    if (this.last === null || this.failuresInARow < givingUpAfter) return null
    const { embedder, message, retryable } = this.last
    return new EmbeddingError({
      embedder,
      message: `not tried, because ${givingUpAfter} calls in a row had failed; the last: ${message}`,
      retryable,
      cause: this.last
    })
  }
}
