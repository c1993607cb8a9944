import { randomUUID } from "node:crypto"

/** A mark for the passages of one prompt: random, and not contained in any of the texts. */
export const freshMark = (texts: ReadonlyArray<string>): string => {
  while (true) {
    const mark = randomUUID()
    if (!texts.some((text) => text.includes(mark))) return mark
  }
}

/**
 * Takes the place of a mark where tokens are estimated, and costs as much as any mark: what fits into a prompt must not
 * depend on the random mark.
 */
export const estimatedMark = "00000000-0000-0000-0000-000000000000"
