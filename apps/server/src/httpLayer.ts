import { defaultLimits, graphqlRoutes } from "@omnirag/api-graphql"
import type { AppConfig } from "@omnirag/core/app"
import { isLoopback, loopbackHosts, serveRoutes, statusRoutes } from "@omnirag/http"
import { Layer } from "effect"

const inProduction = process.env["NODE_ENV"] === "production"

/** True when a browser that opens `/graphql` gets a page to try queries on. */
export const hasPage = ({ graphiql }: AppConfig["Service"]["server"]): boolean => graphiql || !inProduction

/** The HTTP server with every route; stops gracefully with its scope: live streams are told first. */
export const httpLayer = (config: AppConfig["Service"]["server"]) => {
  const { host, port } = config
  const graphql = graphqlRoutes({
    graphiql: hasPage(config),
    introspection: !inProduction,
    allowedHosts: isLoopback(host) ? loopbackHosts : undefined
  })
  return serveRoutes(Layer.merge(graphql, statusRoutes), {
    host,
    port,
    messageBytes: defaultLimits.bodyBytes
  })
}
