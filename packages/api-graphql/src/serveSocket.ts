import { type Context, Effect, type Latch } from "effect"
import { Socket } from "effect/socket"
import { CloseCode, MessageType, stringifyMessage } from "graphql-ws"
import type { Socket as Connection } from "node:net"
import type { ApiServices } from "./context.ts"
import { trackActive } from "./metrics.ts"
import type { ResolvedOptions } from "./options.ts"
import { type SocketState, stopOperation, type WebSocketServer } from "./webSocketServer.ts"

/** Resolves when the connection accepts more data, or is closed. There is one listener, however many streams wait. */
const makeDrain = (connection: Connection | undefined): (() => Promise<void>) => {
  let waiting: Promise<void> | undefined
  return () => {
    if (connection === undefined || !connection.writableNeedDrain || connection.destroyed) {
      return Promise.resolve()
    }
    waiting ??= new Promise((resolve) => {
      const done = () => {
        waiting = undefined
        connection.off("drain", done).off("close", done)
        resolve()
      }
      connection.on("drain", done).on("close", done)
    })
    return waiting
  }
}

/** The id in a client's `complete` message. graphql-ws stops event sources when it receives one, but not queries. */
const completedId = (message: string): string | undefined => {
  if (!message.includes('"complete"')) return undefined
  try {
    const parsed: unknown = JSON.parse(message)
    return typeof parsed === "object" &&
      parsed !== null &&
      "type" in parsed &&
      parsed.type === MessageType.Complete &&
      "id" in parsed &&
      typeof parsed.id === "string"
      ? parsed.id
      : undefined
  } catch {
    // graphql-ws closes the socket because of it
    return undefined
  }
}

export interface ServeSocketOptions {
  readonly socket: Socket.Socket
  /** The underlying TCP connection, for its send buffer. */
  readonly connection: Connection | undefined
  readonly protocol: string
  readonly server: WebSocketServer
  readonly services: Context.Context<ApiServices>
  /** Opens when the process begins to stop. */
  readonly shutdown: Latch.Latch
  readonly options: ResolvedOptions
}

/**
 * Serves one WebSocket until its peer leaves or the process stops.
 *
 * A slow subscriber slows only its own streams: after each event, the connection's send buffer must be empty before the
 * next event is pulled. So the data that waits for a peer that does not read is limited to that buffer (about 64 kB)
 * and one event for each stream. A peer that does not answer two pings is disconnected (4408); one that reads but lets
 * an event wait longer than `stallAfterMs` loses that stream. When the process stops, streams complete and the socket
 * closes with 1001.
 */
export const serveSocket = Effect.fnUntraced(function* ({
  socket,
  connection,
  protocol,
  server,
  services,
  shutdown,
  options
}: ServeSocketOptions) {
  yield* trackActive("socket")
  const reader = yield* socket.reader
  const writer = yield* socket.writer
  const run = Effect.runPromiseWith(services)
  const drain = makeDrain(connection)
  // a write fails only when the peer has left; the reader notices that too and ends the socket
  const write = (data: string | Socket.CloseEvent) => Effect.ignore(writer.write(data))
  const state: SocketState = { services, operations: new Map() }
  const running = new Set<Promise<void>>()
  let heard = true
  let handle: (message: string) => Promise<void> = () => Promise.resolve()

  const closed = server.opened(
    {
      protocol,
      send: async (data) => {
        await run(write(data))
        await drain()
      },
      close: (code, reason) => run(write(new Socket.CloseEvent(code, reason))),
      onMessage: (handler) => {
        handle = handler
      }
    },
    state
  )

  const receive = (message: string): void => {
    const stopped = completedId(message)
    if (stopped !== undefined) stopOperation(state, stopped)
    // the reader does not wait for it: it settles when the operation has ended
    const done = handle(message)
      .catch((defect: unknown) =>
        run(
          Effect.andThen(
            Effect.logError("GraphQL: unexpected failure on a WebSocket", defect),
            write(new Socket.CloseEvent(CloseCode.InternalServerError, "Internal server error"))
          )
        )
      )
      .finally(() => running.delete(done))
    running.add(done)
  }

  const decoder = new TextDecoder()
  const read = reader.pull.pipe(
    Effect.flatMap((frames) => {
      heard = true
      if (frames.some((frame) => frame.length > options.limits.bodyBytes)) {
        return write(new Socket.CloseEvent(1009, "Message too big"))
      }
      for (const frame of frames) receive(typeof frame === "string" ? frame : decoder.decode(frame))
      return Effect.void
    }),
    Effect.forever,
    Effect.catchTag("SocketError", () => Effect.void)
  )

  const keepAlive = Effect.gen(function* () {
    let silent = 0
    while (silent < 2) {
      heard = false
      yield* write(stringifyMessage<MessageType.Ping>({ type: MessageType.Ping }))
      yield* Effect.sleep(options.pingEveryMs)
      silent = heard ? 0 : silent + 1
    }
    yield* write(new Socket.CloseEvent(4408, "No sign of life"))
    yield* Effect.sync(() => connection?.destroy())
  })

  const goodbye = shutdown.await.pipe(
    // streams end by the same latch: give each time to send its "complete"
    Effect.andThen(
      Effect.timeoutOption(
        Effect.promise(() => Promise.allSettled(running)),
        "100 millis"
      )
    ),
    Effect.andThen(write(new Socket.CloseEvent(1001, "Going away")))
  )

  yield* Effect.raceAllFirst([read, Effect.delay(keepAlive, options.pingEveryMs), goodbye]).pipe(
    Effect.ensuring(
      Effect.promise(async () => {
        for (const id of state.operations.keys()) stopOperation(state, id)
        await closed(1000, "")
      })
    )
  )
})
