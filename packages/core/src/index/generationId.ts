/** The id of the generation with this number. */
export const generationId = (number: number): string => `g-${String(number).padStart(6, "0")}`

/** The number in the id of a generation. */
export const generationNumber = (id: string): number => Number(id.slice(2))

/** True for the id of a generation. */
export const isGenerationId = (name: string): boolean => /^g-\d{6,}$/.test(name)
