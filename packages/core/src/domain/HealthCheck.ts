import { Schema } from "effect"

export const HealthCheck = Schema.Struct({
  name: Schema.String.annotate({ description: "Name of the part." }),
  healthy: Schema.Boolean.annotate({ description: "True when it works." }),
  optional: Schema.Boolean.annotate({
    description:
      "True for a part that requests can do without, with a warning; `ready` does not depend on it."
  }),
  detail: Schema.String.annotate({
    description: "What is wrong and what to do; what was found, when healthy."
  })
}).annotate({ description: "The outcome of asking one part whether it works." })
export interface HealthCheck extends Schema.Schema.Type<typeof HealthCheck> {}

/** What a part says about itself. */
export type HealthReport = Pick<HealthCheck, "healthy" | "detail">

/** True when every part works that questions need. */
export const isReady = (checks: ReadonlyArray<HealthCheck>): boolean =>
  checks.every(({ healthy, optional }) => healthy || optional)
