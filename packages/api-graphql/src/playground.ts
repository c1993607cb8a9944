import { HttpServerResponse } from "effect/http"
import { renderGraphiQL } from "graphql-yoga"
import { randomUUID } from "node:crypto"
import { playgroundPage } from "./playgroundPage.ts"

const graphiqlTitle = "OmniRAG"

/**
 * The page a browser gets at `/graphql` in development. The plain page needs only this server. It links to GraphiQL
 * (`/graphql?graphiql`), whose scripts the browser loads from unpkg.com: that is why it is not the first page.
 */
export const playground = (url: string): HttpServerResponse.HttpServerResponse => {
  if (new URL(url, "http://localhost").searchParams.has("graphiql")) {
    return HttpServerResponse.html(renderGraphiQL({ title: graphiqlTitle, subscriptionsProtocol: "WS" }))
  }
  const nonce = randomUUID()
  return HttpServerResponse.html(playgroundPage(nonce)).pipe(
    HttpServerResponse.setHeaders({
      "content-security-policy": `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; connect-src 'self'; frame-ancestors 'none'`,
      "cache-control": "no-store"
    })
  )
}
