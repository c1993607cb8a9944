import { type Client, createClient } from "graphql-ws"
import { WebSocket } from "ws"

/** Whatever a test asks for; it knows the shape from its query. */
// eslint-disable-next-line typescript/no-explicit-any
export type Json = any

export interface GraphQLResult {
  readonly data?: Json
  readonly errors?: ReadonlyArray<{ readonly message: string; readonly extensions: Json }>
}

/** Posts an operation. */
export const graphql = async (
  url: string,
  query: string,
  variables: Record<string, unknown> = {}
): Promise<GraphQLResult> => {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ query, variables })
  })
  return (await response.json()) as GraphQLResult
}

/** The data of an operation that has no errors. */
export const dataOf = async (
  url: string,
  query: string,
  variables: Record<string, unknown> = {}
): Promise<Json> => {
  const { data, errors } = await graphql(url, query, variables)
  if (errors !== undefined) throw new Error(JSON.stringify(errors))
  return data
}

/** The code of the first error. */
export const codeOf = async (
  url: string,
  query: string,
  variables: Record<string, unknown> = {}
): Promise<unknown> => (await graphql(url, query, variables)).errors?.[0]?.extensions.code

/** The results of a subscription over SSE as they come; ends with the server's `complete` event. */
export async function* overSse(
  url: string,
  query: string,
  variables: Record<string, unknown> = {}
): AsyncGenerator<GraphQLResult, void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify({ query, variables })
  })
  if (response.body === null) throw new Error(`no body, status ${response.status}`)
  let text = ""
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    text += part
    for (let end = text.indexOf("\n\n"); end !== -1; end = text.indexOf("\n\n")) {
      const block = text.slice(0, end)
      text = text.slice(end + 2)
      if (block.startsWith("event: complete")) return
      const data = /^data: (.+)$/m.exec(block)?.[1]
      if (data !== undefined) yield JSON.parse(data) as GraphQLResult
    }
  }
  throw new Error("the stream was cut off before its `complete`")
}

export interface SocketClient {
  readonly client: Client
  /** The code the server closed the socket with. */
  readonly closed: Promise<number>
}

export const connect = (url: string): SocketClient => {
  let settle: (code: number) => void = () => {}
  const closed = new Promise<number>((resolve) => {
    settle = resolve
  })
  const client = createClient({
    url: url.replace("http", "ws"),
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    on: { closed: (event) => settle((event as { readonly code: number }).code) }
  })
  return { client, closed }
}

/** The results of a subscription over WebSocket as they come. */
export async function* overSocket(
  client: Client,
  query: string,
  variables: Record<string, unknown> = {}
): AsyncGenerator<GraphQLResult, void> {
  for await (const result of client.iterate<Json>({ query, variables })) yield result as GraphQLResult
}

export const collect = async <A>(events: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const event of events) all.push(event)
  return all
}
