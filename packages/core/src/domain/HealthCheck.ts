/** The outcome of asking one part whether it works. */
export interface HealthCheck {
  readonly name: string
  readonly healthy: boolean
  /** True for a part that requests can do without, with a warning. */
  readonly optional: boolean
  /** What is wrong and what to do; what was found, when healthy. */
  readonly detail: string
}

/** What a part says about itself. */
export type HealthReport = Pick<HealthCheck, "healthy" | "detail">

/** True when every part works that questions need. */
export const isReady = (checks: ReadonlyArray<HealthCheck>): boolean =>
  checks.every(({ healthy, optional }) => healthy || optional)
