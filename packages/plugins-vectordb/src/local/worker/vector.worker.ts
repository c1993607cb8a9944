import { parentPort } from "node:worker_threads"
import { makeHandlers } from "./collections.ts"
import type { Operation, Operations, Reply, Request } from "./protocol.ts"
import { toFault } from "./toFault.ts"

// The one thread of the process that holds vectors and runs native code, so that neither blocks the event loop.

const port = parentPort
if (port === null) throw new Error("this file is the entry of a worker thread")

const handlers = makeHandlers()

const answer = async (request: Request): Promise<Reply> => {
  const { id, input, operation } = request
  // the pairs of operation and input are right by the type of Request, which an index access loses
  const handler = handlers[operation] as (
    input: Request["input"]
  ) => Operations[Operation]["output"] | Promise<Operations[Operation]["output"]>
  try {
    return { id, ok: true, output: await handler(input) }
  } catch (cause) {
    return { id, ok: false, fault: toFault(cause) }
  }
}

port.on("message", (request: Request) => {
  void answer(request).then((reply) => port.postMessage(reply))
})
