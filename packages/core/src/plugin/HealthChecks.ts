import { Context, Effect, Layer, Ref, type Scope } from "effect"
import type { HealthCheck, HealthReport } from "../domain/HealthCheck.ts"

/** How long one check may take before it counts as failed. */
const patience = "10 seconds"

/**
 * Collects the checks of the parts that can be unreachable. A plugin registers its check while its layer is built; the
 * check is removed when the scope of that layer ends. `doctor`, `/ready` and the query `status` run them all.
 */
export class HealthChecks extends Context.Service<
  HealthChecks,
  {
    /**
     * Adds a check under the name that its result will carry. `optional` is for a part that requests can do without,
     * with a warning: it is shown, and does not make the system unready.
     */
    readonly register: (
      name: string,
      check: Effect.Effect<HealthReport>,
      options?: { readonly optional: boolean }
    ) => Effect.Effect<void, never, Scope.Scope>
    /** Runs all checks at the same time; the results are in the order of registration. Never fails. */
    readonly run: Effect.Effect<ReadonlyArray<HealthCheck>>
  }
>()("@omnirag/core/plugin/HealthChecks") {
  static readonly layer = Layer.effect(
    HealthChecks,
    Effect.gen(function* () {
      const checks = yield* Ref.make<ReadonlyArray<Effect.Effect<HealthCheck>>>([])
      const bounded = (name: string, check: Effect.Effect<HealthReport>, optional: boolean) =>
        check.pipe(
          Effect.timeoutOrElse({
            duration: patience,
            orElse: () => Effect.succeed({ healthy: false, detail: `no answer within ${patience}` })
          }),
          Effect.catchDefect((defect) =>
            Effect.succeed({ healthy: false, detail: `the check itself failed: ${String(defect)}` })
          ),
          Effect.map((report): HealthCheck => ({ name, optional, ...report }))
        )
      return HealthChecks.of({
        register: (name, check, options) => {
          const entry = bounded(name, check, options?.optional === true)
          return Effect.acquireRelease(
            Ref.update(checks, (all) => [...all, entry]),
            () => Ref.update(checks, (all) => all.filter((other) => other !== entry))
          )
        },
        run: Effect.flatMap(Ref.get(checks), (all) => Effect.all(all, { concurrency: "unbounded" }))
      })
    })
  )
}
