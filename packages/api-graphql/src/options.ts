import { defaultLimits, type Limits } from "./limits.ts"

/** How the API is served. Everything has a safe default. */
export interface ApiOptions {
  /** Serve a page to try queries on when a browser opens `/graphql`. Off by default. */
  readonly graphiql?: boolean | undefined
  /** Answer questions about the schema. On by default; off also hides suggestions in error messages. */
  readonly introspection?: boolean | undefined
  /** Origins of web pages that may use the API (`https://app.example`); by default only its own. */
  readonly allowedOrigins?: ReadonlyArray<string> | undefined
  /**
   * Host names the server answers to; any by default. Give `loopbackHosts` of @omnirag/http when it listens on a loopback address: a web
   * page whose name was made to point at 127.0.0.1 (DNS rebinding) is then refused.
   */
  readonly allowedHosts?: ReadonlyArray<string> | undefined
  readonly limits?: Partial<Limits> | undefined
  /** Milliseconds an event may wait for its subscriber; 60,000 by default. */
  readonly stallAfterMs?: number | undefined
  /**
   * Milliseconds between pings on a WebSocket; a peer that does not answer two of them is disconnected; 30,000 by
   * default.
   */
  readonly pingEveryMs?: number | undefined
}

export const resolveOptions = (options: ApiOptions) => ({
  graphiql: options.graphiql ?? false,
  introspection: options.introspection ?? true,
  allowedOrigins: options.allowedOrigins ?? [],
  allowedHosts: options.allowedHosts,
  limits: { ...defaultLimits, ...options.limits },
  stallAfterMs: options.stallAfterMs ?? 60_000,
  pingEveryMs: options.pingEveryMs ?? 30_000
})

export type ResolvedOptions = ReturnType<typeof resolveOptions>
