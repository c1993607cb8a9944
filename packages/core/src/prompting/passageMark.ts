import { randomUUID } from "node:crypto"

/** A mark for the passages of one prompt: random, and in none of the texts. */
export const freshMark = (texts: ReadonlyArray<string>): string => {
  while (true) {
    const mark = randomUUID()
    if (!texts.some((text) => text.includes(mark))) return mark
  }
}

/**
 * Stands for a mark where tokens are reckoned, and costs as much as any: what fits into a prompt must not depend on what
 * was drawn.
 */
export const reckonedMark = "00000000-0000-0000-0000-000000000000"
