/**
 * Live answers, many at once: the served product (a process of its own, `configs/ollama.yaml`) between GraphQL WebSocket
 * clients and the double of an Ollama server, both in this process. First every answer runs to its end: the time to the
 * first token, tokens per second, how far apart the answers end, what the server's memory grew by. Then answers without
 * an end, all dropped at once with their connections: the time until Ollama has seen each request go. Prints one line of
 * JSON; times in milliseconds.
 *
 *     node bench/streamingAnswers.ts [answers] [tokens]
 */
import { type Client, createClient } from "graphql-ws"
import { readFileSync } from "node:fs"
import { WebSocket } from "ws"
import { chatEnd, chatLine } from "@omnirag/testkit/OllamaDouble"
import { OllamaWorld } from "@omnirag/testkit/OllamaWorld"
import { quantiles } from "./support/quantiles.ts"

const answers = Number(process.argv[2] ?? 200)
const tokens = Number(process.argv[3] ?? 300)
/** Answers on one connection; the server allows 100. */
const perSocket = 50

const world = new OllamaWorld()
for (let n = 0; n < 20; n++) {
  world.corpus.write(`${n}.md`, `# Gateway ${n}\n\nThe gateway ${n} listens on port ${8000 + n}.\n`)
}
await world.up()

/** Answers with the tokens one by one, each as soon as the one before it was taken. */
const answerTokens = (count: number) =>
  world.double.on("/api/chat", (_, response) => {
    response.writeHead(200, { "content-type": "application/x-ndjson" })
    const next = (left: number) => {
      if (response.destroyed) return
      if (left === 0) response.end(chatEnd())
      else response.write(chatLine(left % 20 === 1 ? " [1]. " : "port "), () => setImmediate(next, left - 1))
    }
    next(count)
  })

const server = await world.serve({ environment: { OLLAMA_CONCURRENCY: String(answers) } })
const megabytes = (): number => {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]
  return Math.round(Number(kilobytes) / 1024)
}

const query = `subscription { ask(question: "On which port does the gateway listen?") {
  __typename ... on Token { text } ... on Done { answer { usage { output } } } ... on Failed { message }
} }`
interface Result {
  readonly ask: { readonly __typename: string; readonly message?: string }
}
const connect = (): { readonly client: Client; readonly drop: () => void } => {
  const sockets = new Set<WebSocket>()
  class Tracked extends WebSocket {
    constructor(url: string, protocols?: string | Array<string>) {
      super(url, protocols)
      sockets.add(this)
    }
  }
  const client = createClient({
    url: server.url.replace("http", "ws"),
    webSocketImpl: Tracked,
    retryAttempts: 0
  })
  return { client, drop: () => sockets.forEach((socket) => socket.terminate()) }
}

/** Times of one answer from the subscription on. */
const ask = async (client: Client, onToken: () => void = () => {}) => {
  const began = performance.now()
  let first = Number.NaN
  let taken = 0
  for await (const { data } of client.iterate<Result>({ query })) {
    if (data?.ask.__typename === "Failed") throw new Error(data.ask.message)
    if (data?.ask.__typename !== "Token") continue
    if (taken++ === 0) first = performance.now() - began
    onToken()
  }
  return { first, ended: performance.now() - began, taken }
}

const crowd = () => {
  const connections = Array.from({ length: Math.ceil(answers / perSocket) }, connect)
  const clients = Array.from(
    { length: answers },
    (_, index) => connections[Math.floor(index / perSocket)]?.client
  )
  return { connections, clients: clients.filter((client) => client !== undefined) }
}

/** Every answer to its end. */
const complete = async () => {
  answerTokens(tokens)
  const { clients, connections } = crowd()
  const began = performance.now()
  const timings = await Promise.all(clients.map((client) => ask(client)))
  const seconds = (performance.now() - began) / 1000
  await Promise.all(connections.map(({ client }) => client.dispose()))
  const ends = timings.map(({ ended }) => ended).toSorted((a, b) => a - b)
  return {
    firstToken: quantiles(timings.map(({ first }) => first)),
    tokensPerSecond: Math.round(timings.reduce((sum, { taken }) => sum + taken, 0) / seconds),
    firstEndMs: Math.round(ends[0] ?? 0),
    lastEndMs: Math.round(ends.at(-1) ?? 0),
    spread: Number((((ends.at(-1) ?? 0) - (ends[0] ?? 0)) / (ends.at(-1) ?? 1)).toFixed(3))
  }
}

/** Answers without an end; dropped when each has had its share. */
const cancel = async () => {
  answerTokens(Number.POSITIVE_INFINITY)
  const { clients, connections } = crowd()
  const counts = clients.map(() => 0)
  const { promise: enough, resolve } = Promise.withResolvers<void>()
  let allBegun = false
  let taken = 0
  const streams = clients.map((client, index) =>
    ask(client, () => {
      const count = (counts[index] ?? 0) + 1
      counts[index] = count
      taken++
      if (count === 1 && !counts.includes(0) && !allBegun) {
        // counted from the moment when every answer has begun
        allBegun = true
        counts.fill(0)
        taken = 0
      }
      if (allBegun && taken >= answers * 100) resolve()
    }).catch(() => {
      // its connection was dropped
    })
  )
  await enough
  const memory = megabytes()
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)]
  const began = performance.now()
  for (const { drop } of connections) drop()
  for (let gone = 0; gone < answers; gone++) await world.abandoned()
  const allCancelledMs = Math.round(performance.now() - began)
  await Promise.all(streams)
  return {
    fewestOfOne: fewest,
    mostOfOne: most,
    memory,
    allCancelledMs,
    leftUnderWay: world.double.underWay()
  }
}

answerTokens(tokens)
const warm = connect()
for (let n = 0; n < 20; n++) await ask(warm.client)
await warm.client.dispose()
const idle = megabytes()
const completed = await complete()
const afterCompleted = megabytes()
const { memory, ...cancelled } = await cancel()
console.log(
  JSON.stringify({
    answers,
    tokens,
    ...completed,
    cancelled,
    megabytes: { idle, afterCompleted, whileEndless: memory, atTheEnd: megabytes() }
  })
)
await world.stop()
