import { Schema } from "effect"
import { Remedy } from "./Remedy.ts"

export const Notice = Schema.Struct({
  message: Schema.String.annotate({ description: "What the user should know." }),
  remedy: Schema.optionalKey(Remedy).annotate({
    description: "What would help, as a code; absent where only the message helps."
  })
}).annotate({ description: "Something a user should know about a result." })
export interface Notice extends Schema.Schema.Type<typeof Notice> {}

/** A notice of which no remedy is known. */
export const notice = (message: string): Notice => ({ message })
