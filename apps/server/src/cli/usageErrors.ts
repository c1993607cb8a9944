import { Effect } from "effect"
import { CliOutput } from "effect/cli"
import { printNote, printStyled } from "./output.ts"
import { printError, wantsJson } from "./reportFailure.ts"

/**
 * Shows a call that is no valid use of the command on stderr, with where to read more, instead of the whole help on
 * stdout: stdout is for results.
 */
export const usageErrors = CliOutput.layerPresenter({
  present: (event) => {
    if (event._tag !== "InvalidInvocation") return CliOutput.defaultPresenter.present(event)
    if (wantsJson) {
      const message = event.errors.map((error) => error.message).join("; ")
      return printError({ code: "USAGE_INVALID", message })
    }
    const errors = CliOutput.defaultFormatter().formatErrors(event.errors).trimStart()
    return Effect.andThen(printStyled(errors), printNote(`See \`${event.commandPath.join(" ")} --help\`.`))
  }
})
