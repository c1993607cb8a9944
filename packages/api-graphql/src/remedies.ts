import { type Remedy, withRemedy } from "@omnirag/core/app"
import { redactPaths } from "@omnirag/http"

/** What would help, in words for whoever uses the API. */
export const remedies: Readonly<Record<Remedy, string>> = {
  index: "start the mutation startIndex",
  rebuild: "ask the operator of this server to build the index anew",
  update: "ask the operator of this server to update it",
  chooseGeneration: "ask the operator of this server to say which one is right"
}

/** What a client may read of an error, a notice or a failure: without paths of the server, with what would help. */
export const publicText = (carrier: { readonly message: string }): string =>
  redactPaths(withRemedy(carrier, remedies))
