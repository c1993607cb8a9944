import type { Remedy } from "./Remedy.ts"

/** The outcome of asking one part whether it works. */
export interface HealthCheck {
  readonly name: string
  readonly healthy: boolean
  /** True for a part that requests can do without, with a warning. */
  readonly optional: boolean
  /** What is wrong and what to do; what was found, when healthy. */
  readonly detail: string
  /** What would help, where that is more than `detail` says. */
  readonly remedy?: Remedy | undefined
}

/** What a part says about itself. */
export type HealthReport = Pick<HealthCheck, "healthy" | "detail" | "remedy">

/** True when every part works that questions need. */
export const isReady = (checks: ReadonlyArray<HealthCheck>): boolean =>
  checks.every(({ healthy, optional }) => healthy || optional)
