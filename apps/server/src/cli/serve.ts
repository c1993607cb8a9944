import { Answering, Documents, isReady, keepUpToDate, SystemStatus } from "@omnirag/core/app"
import { Effect, Layer, Option } from "effect"
import { HttpServer } from "effect/http"
import { appLayer } from "@omnirag/runtime"
import { hasPage, httpLayer } from "../httpLayer.ts"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { describeSupport } from "./askCommand.ts"
import { printNote } from "./output.ts"
import { describeRun, indexWithProgress } from "./progress.ts"
import { printError } from "./reportFailure.ts"
import { worded, wordedCheck } from "./remedies.ts"
import { endsBySignal } from "./signals.ts"
import { loadedConfig } from "./withApp.ts"

/** A URL a browser on this machine can open. */
const localUrl = (address: HttpServer.HttpServer["Service"]["address"]): string =>
  HttpServer.formatAddress(address).replace("0.0.0.0", "127.0.0.1").replace("[::]", "[::1]")

const sampleQuery = (question: string): string =>
  `{ ask(question: ${JSON.stringify(question)}) { text citations { path startLine endLine } evaluation { verdict } } }`

const announce = Effect.flatMap(HttpServer.HttpServer, ({ address }) =>
  printNote(`Listening on ${localUrl(address)}/graphql`)
)

const isEmpty = Documents.use((documents) => documents.list({ first: 1 })).pipe(
  Effect.map(({ total }) => total === 0)
)

/**
 * A run that cannot be made does not keep an older index from answering, nor a damaged one from being looked at. Only
 * when there is nothing to serve yet the failure is that of the command.
 */
const bringUpToDate = indexWithProgress({}).pipe(
  Effect.flatMap((run) => printNote(describeRun(run))),
  Effect.catch((error) =>
    Effect.flatMap(
      Effect.orElseSucceed(isEmpty, () => false),
      (nothing) => (nothing ? Effect.fail(error) : printError({ code: error.code, message: worded(error) }))
    )
  )
)

/** Says what keeps the server from answering well, once the parts have been asked; the server does not wait for it. */
const warn = Effect.gen(function* () {
  const checks = (yield* SystemStatus.use((system) => system.checks)).map(wordedCheck)
  const unhealthy = checks.filter(({ healthy }) => !healthy)
  yield* Effect.forEach(unhealthy, ({ name, optional, detail }) =>
    printNote(`${optional ? "warning" : "not ready"}: ${name}: ${detail}`)
  )
  if (isReady(checks) && (yield* isEmpty)) {
    yield* printNote("the index is empty: stop and start with --index, or run the mutation startIndex")
  }
}).pipe(Effect.ignore)

const demonstrate = (question: string) =>
  Answering.use((answering) => answering.ask({ question, topK: 5 })).pipe(
    Effect.flatMap((answer) =>
      printNote(`Question: ${question}\n\n${answer.text}${describeSupport(answer)}\n\nStop with Ctrl-C.`)
    ),
    Effect.catch((error) => printError({ code: error.code, message: worded(error) }))
  )

const greet = Effect.fnUntraced(function* (query: string, page: boolean) {
  const server = yield* HttpServer.HttpServer
  yield* printNote(
    `\nGraphQL is at ${localUrl(server.address)}/graphql\n${page ? "Open it in a browser and paste:" : "A query to send:"}\n\n  ${query}\n`
  )
})

/** What `omnirag serve` is told to do. */
export interface ServeFlags {
  /** Bring the index up to date first. */
  readonly index: boolean
  /** Index changed files by themselves. */
  readonly watch: boolean
  /** A question to answer once the server listens. */
  readonly ask: Option.Option<string>
}

/** Serves the GraphQL API until a signal ends it. */
export const serve = Effect.fn("serve")(function* ({ index, watch, ask }: ServeFlags) {
  const { config, plugins } = yield* loadedConfig
  const program = Effect.gen(function* () {
    yield* announce
    if (index) yield* bringUpToDate
    const question = Option.getOrElse(ask, () => "What is this about?")
    yield* greet(sampleQuery(question), hasPage(config.server))
    yield* Option.isSome(ask) ? demonstrate(question) : Effect.forkChild(warn)
    yield* keepUpToDate({ watch })
    return yield* Effect.never
  })
  return yield* program.pipe(
    Effect.provide(
      httpLayer(config.server).pipe(
        Layer.provideMerge(appLayer(config, plugins)),
        Layer.provide(NodeServices.layer)
      )
    ),
    endsBySignal
  )
})
