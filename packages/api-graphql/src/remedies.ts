import { type Remedy, withRemedy } from "@omnirag/core/app"
import { redactPaths } from "@omnirag/http"

/** What would help, in words for clients of the API. */
export const remedies: Readonly<Record<Remedy, string>> = {
  index: "start the mutation startIndex",
  rebuild: "ask the operator of this server to build the index again",
  update: "ask the operator of this server to update it",
  chooseGeneration: "ask the operator of this server to say which one is right"
}

/** The text of an error, a notice or a failure for a client: without paths of the server, and with what would help. */
export const publicText = (carrier: { readonly message: string }): string =>
  redactPaths(withRemedy(carrier, remedies))
