import { Schema } from "effect"
import { Remedy } from "./Remedy.ts"

export const HealthCheck = Schema.Struct({
  name: Schema.String.annotate({ description: "Name of the part." }),
  healthy: Schema.Boolean.annotate({ description: "True when it works." }),
  optional: Schema.Boolean.annotate({
    description:
      "True for a part that requests can do without, with a warning; `ready` does not depend on it."
  }),
  detail: Schema.String.annotate({
    description: "What is wrong and what to do; what was found, when healthy."
  }),
  remedy: Schema.optional(Remedy).annotate({
    description: "What would help, as a code, where that is more than `detail` says."
  })
}).annotate({ description: "The outcome of asking one part whether it works." })
export interface HealthCheck extends Schema.Schema.Type<typeof HealthCheck> {}

/** What a part says about itself. */
export type HealthReport = Pick<HealthCheck, "healthy" | "detail" | "remedy">

/** True when every part works that questions need. */
export const isReady = (checks: ReadonlyArray<HealthCheck>): boolean =>
  checks.every(({ healthy, optional }) => healthy || optional)
