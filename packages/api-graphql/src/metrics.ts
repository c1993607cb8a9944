import { Effect, Metric } from "effect"

/** What is in use in this package right now: running resolvers, live streams, open WebSockets. */
const active = Metric.gauge("omnirag_graphql_active", {
  description: "Resolvers at work, live streams and open WebSockets"
})

/** Errors sent to clients, by their code. */
const errors = Metric.counter("omnirag_graphql_errors_total", {
  description: "Errors sent to clients, by code",
  incremental: true
})

export type ActiveKind = "resolver" | "stream" | "socket"

/** Counts the scope of an effect as active. */
export const trackActive = (kind: ActiveKind) => {
  const metric = Metric.withAttributes(active, { kind })
  return Effect.acquireRelease(Metric.modify(metric, 1), () => Metric.modify(metric, -1))
}

export const countError = (code: string): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(errors, { code }), 1)
