import { type HealthCheck, type Notice, type Remedy, withRemedy } from "@omnirag/core/app"

/** What would help, in words for whoever is at the command line. */
const remedies: Readonly<Record<Remedy, string>> = {
  index: "run `omnirag index`",
  rebuild: "run `omnirag index --rebuild`",
  update: "update OmniRAG, or run `omnirag index --rebuild`",
  chooseGeneration: "write the name of the right one into it, or run `omnirag index --rebuild`"
}

/** The text of an error, a notice or a failure, with what would help. */
export const worded = (carrier: Pick<Notice, "message">): string => withRemedy(carrier, remedies)

/** A result with its warnings as texts: what `--json` prints. */
export const withWordedWarnings = <A extends { readonly warnings: ReadonlyArray<Notice> }>(result: A) => ({
  ...result,
  warnings: result.warnings.map(worded)
})

/** A check whose detail says what would help. */
export const wordedCheck = ({ detail, remedy, ...check }: HealthCheck): HealthCheck => ({
  ...check,
  detail: worded({ message: detail, ...(remedy === undefined ? {} : { remedy }) })
})
