import { randomBytes } from "node:crypto"

/** The name of an index that no other test has. */
export const freshIndex = (): string => randomBytes(4).toString("hex")
