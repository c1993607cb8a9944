import type { GenerationRef } from "../ports/GenerationRef.ts"

/** What the catalog of a generation says of itself: neither another generation nor another index has the same. */
export const nameOf = ({ id, index }: GenerationRef): string => `${index}/${id}`
