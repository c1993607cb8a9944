import { Schema } from "effect"
import { Remedy } from "./Remedy.ts"

/** Something a user should know of a result, with what would help where something does. */
export const Notice = Schema.Struct({
  message: Schema.String,
  remedy: Schema.optionalKey(Remedy)
})
export interface Notice extends Schema.Schema.Type<typeof Notice> {}

/** A notice of which no remedy is known. */
export const notice = (message: string): Notice => ({ message })
