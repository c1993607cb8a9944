/**
 * The client of bench/graphql.ts, in a process of its own so that it does not share the server's event loop. Reads one
 * task as JSON from its first argument and prints the times of the requests in milliseconds as one line of JSON.
 */
import { createClient } from "graphql-ws"
import { Agent, request } from "node:http"
import { WebSocket } from "ws"

export interface LoadTask {
  readonly url: string
  readonly kind: "search" | "sse" | "webSocket"
  readonly connections: number
  readonly requests: number
  readonly questions: ReadonlyArray<string>
}

const searchQuery = `query ($q: String!) { search(query: $q, topK: 5) { hits { path score chunk { text headingPath startLine endLine } } } }`
const askQuery = `subscription ($q: String!) { ask(question: $q) { __typename ... on Sources { sources { path score } } ... on Token { text } } }`

const [argument = "{}"] = process.argv.slice(2)
const task = JSON.parse(argument) as LoadTask
const agent = new Agent({ keepAlive: true, maxSockets: task.connections })

/** Milliseconds until the first bytes of the body that `isIt`; resolves when the whole response is here. */
const post = (query: string, q: string, accept: string, isIt: (body: string) => boolean): Promise<number> =>
  new Promise((settle, refuse) => {
    const started = performance.now()
    const headers = { "content-type": "application/json", accept }
    const call = request(task.url, { method: "POST", agent, headers }, (response) => {
      let body = ""
      let first = Number.NaN
      response.setEncoding("utf8").on("data", (part: string) => {
        body += part
        if (Number.isNaN(first) && isIt(body)) first = performance.now() - started
      })
      response.on("end", () =>
        Number.isNaN(first) || body.includes('"errors"') ? refuse(new Error(body)) : settle(first)
      )
    })
    call.on("error", refuse)
    call.end(JSON.stringify({ query, variables: { q } }))
  })

const webSocket = () => {
  const client = createClient({
    url: task.url.replace("http", "ws"),
    webSocketImpl: WebSocket,
    lazy: false,
    retryAttempts: 0
  })
  const ask = async (q: string): Promise<number> => {
    const started = performance.now()
    let first = Number.NaN
    for await (const { data } of client.iterate<{ ask: { __typename: string } }>({
      query: askQuery,
      variables: { q }
    })) {
      if (Number.isNaN(first) && data?.ask.__typename === "Sources") first = performance.now() - started
    }
    return first
  }
  return { ask, close: () => client.dispose() }
}

const socket = task.kind === "webSocket" ? webSocket() : undefined
const ask = (q: string): Promise<number> =>
  socket !== undefined
    ? socket.ask(q)
    : task.kind === "sse"
      ? post(askQuery, q, "text/event-stream", (body) => body.includes('"Sources"'))
      : post(searchQuery, q, "application/json", (body) => body.endsWith("}"))

const times: Array<number> = []
let next = 0
const started = performance.now()
await Promise.all(
  Array.from({ length: task.connections }, async () => {
    while (next < task.requests) {
      const q = task.questions[next++ % task.questions.length] ?? ""
      times.push(await ask(q))
    }
  })
)
const seconds = (performance.now() - started) / 1000
await socket?.close()
agent.destroy()
console.log(JSON.stringify({ times, seconds }))
