import { HealthChecks } from "@omnirag/core/plugin"
import { Effect, type Scope } from "effect"
import { isToBeFetched, type ModelSelection } from "./locateModel.ts"

/**
 * Registers the check of a model: its files must exist and it must open. A model that is already open is not opened
 * again, and nothing is downloaded for the check.
 */
export const registerModelHealth = (
  name: string,
  options: ModelSelection,
  open: Effect.Effect<unknown, { readonly message: string }, Scope.Scope>,
  { optional }: { readonly optional: boolean }
): Effect.Effect<void, never, HealthChecks | Scope.Scope> => {
  const check = Effect.suspend(() =>
    isToBeFetched(options)
      ? Effect.succeed({
          healthy: true,
          detail: `the model ${options.model} is fetched from ${options.hub} when it is first used`
        })
      : Effect.scoped(open).pipe(
          Effect.match({
            onFailure: ({ message }) => ({ healthy: false, detail: message }),
            onSuccess: () => ({ healthy: true, detail: `the model ${options.model} is there and opens` })
          })
        )
  )
  return HealthChecks.use((checks) => checks.register(name, check, { optional }))
}
