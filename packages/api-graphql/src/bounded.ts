import { InvalidInput } from "@omnirag/core/app"
import { Effect } from "effect"

/** The number, or `InvalidInput` naming the argument when it is out of bounds. */
export const bounded = (
  field: string,
  value: number,
  minimum: number,
  maximum: number
): Effect.Effect<number, InvalidInput> =>
  value >= minimum && value <= maximum
    ? Effect.succeed(value)
    : Effect.fail(
        new InvalidInput({ field, message: `${field} is ${value}; it must be ${minimum} to ${maximum}` })
      )
