import { type Context, Effect } from "effect"
import type { ExecutionArgs, GraphQLError } from "graphql"
import { makeServer, type ServerOptions, type SubscribePayload } from "graphql-ws"
import { type ApiServices, makeContext } from "./context.ts"
import { limitError, maskError, socketError } from "./errors.ts"
import { checkVariables } from "./limits.ts"
import type { ResolvedOptions } from "./options.ts"
import type { Yoga } from "./yoga.ts"

/** The state of one WebSocket. */
export interface SocketState {
  readonly services: Context.Context<ApiServices>
  /** The operations under way, by their id. An id may be used again as soon as its operation is complete. */
  readonly operations: Map<string, RunningOperation>
}

interface RunningOperation {
  readonly controller: AbortController
  readonly payload: SubscribePayload
}

/** Stops the operation with this id, if it is under way. */
export const stopOperation = ({ operations }: SocketState, id: string): void => {
  operations.get(id)?.controller.abort()
  operations.delete(id)
}

/** Forgets an operation that has ended; not a later one with the same id. */
const forget = ({ operations }: SocketState, id: string, payload: SubscribePayload): void => {
  if (operations.get(id)?.payload === payload) operations.delete(id)
}

/** The two functions of an enveloped operation; the root value carries them to graphql-ws. */
interface Runner {
  readonly execute: (args: ExecutionArgs) => unknown
  readonly subscribe: (args: ExecutionArgs) => unknown
}

const runnerOf = (args: ExecutionArgs): Runner => args.rootValue as Runner

/** The error that graphql-ws wrapped when an event source threw. */
const unwrap = (error: GraphQLError): unknown => error.originalError ?? error.cause ?? error

/**
 * The graphql-transport-ws protocol over yoga's engine: the same limits, masking and context as over HTTP. Every
 * operation has an abort signal, so that queries, too, are interrupted when their client completes them or leaves.
 */
export const makeWebSocketServer = (yoga: Yoga, options: ResolvedOptions) => {
  const { limits, stallAfterMs } = options
  const masked = (error: unknown, state: SocketState): GraphQLError =>
    maskError(error, (defect) => {
      Effect.runForkWith(state.services)(Effect.logError("GraphQL: unexpected failure", defect))
    })
  const serverOptions: ServerOptions<Record<string, unknown>, SocketState> = {
    connectionInitWaitTimeout: 3000,
    execute: (args) => runnerOf(args).execute(args) as ReturnType<NonNullable<ServerOptions["execute"]>>,
    subscribe: (args) =>
      runnerOf(args).subscribe(args) as ReturnType<NonNullable<ServerOptions["subscribe"]>>,
    onSubscribe: async ({ extra }, id, payload) => {
      try {
        if (extra.operations.size >= limits.operationsPerSocket) {
          throw limitError(`at most ${limits.operationsPerSocket} operations may run on one WebSocket`)
        }
        const tooDeep = checkVariables(payload.variables, limits)
        if (tooDeep !== undefined) throw tooDeep
        const controller = new AbortController()
        const prepared = makeContext(extra.services, { signal: controller.signal, stallAfterMs })
        const { parse, validate, execute, subscribe, contextFactory, schema } = yoga.getEnveloped({
          params: payload,
          services: extra.services,
          prepared
        })
        const document = parse(payload.query)
        const errors: ReadonlyArray<GraphQLError> = validate(schema, document)
        if (errors.length > 0) return errors
        extra.operations.set(id, { controller, payload })
        return {
          schema,
          document,
          operationName: payload.operationName,
          variableValues: payload.variables,
          contextValue: await contextFactory(),
          rootValue: { execute, subscribe } satisfies Runner
        }
      } catch (error) {
        forget(extra, id, payload)
        return [masked(error, extra)]
      }
    },
    onNext: (_context, _id, _payload, _args, { errors, data = null, extensions }) =>
      errors === undefined
        ? undefined
        : { errors: errors.map(socketError), data, ...(extensions === undefined ? {} : { extensions }) },
    onError: ({ extra }, id, payload, errors) => {
      forget(extra, id, payload)
      return errors.map((error) => socketError(masked(unwrap(error), extra)))
    },
    onComplete: ({ extra }, id, payload) => {
      forget(extra, id, payload)
    }
  }
  return makeServer(serverOptions)
}

export type WebSocketServer = ReturnType<typeof makeWebSocketServer>
