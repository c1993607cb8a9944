import { Effect, Schema, type Scope } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type {
  ChildMessage,
  InferenceRequest,
  InferenceResult,
  InferenceSpec,
  ParentMessage
} from "./inferenceProtocol.ts"

/**
 * Why an inference process returned no result. `refused`: the model or the request is wrong; `crashed`: the process
 * ended during the work; `gone`: it had already ended.
 */
export class InferenceError extends Schema.TaggedError<InferenceError>()("InferenceError", {
  reason: Schema.Literals(["refused", "crashed", "gone"]),
  message: Schema.String
}) {}

/** A process with a model open in it. It serves one request at a time. */
export interface InferenceProcess {
  readonly pid: number | undefined
  readonly dimensions: number
  /** Interruption stops the work in the process before the next model run, and waits for that. */
  readonly run: (request: InferenceRequest) => Effect.Effect<InferenceResult, InferenceError>
}

const mainFile = fileURLToPath(new URL("./inferenceMain.ts", import.meta.url))

/** The last lines of the process's error output: the only information about a native crash. */
const stderrLimit = 2000

const start = Effect.acquireRelease(
  Effect.sync(() => {
    const child = fork(mainFile, [], {
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      execArgv: []
    })
    let stderr = ""
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-stderrLimit)
    })
    return { child, stderr: () => stderr.trim() }
  }),
  ({ child }) =>
    Effect.callback<void>((resume) => {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) {
        return resume(Effect.void)
      }
      child.once("exit", () => resume(Effect.void))
      child.kill("SIGKILL")
    })
)

/** Sends a message and waits for the answer that `match` accepts; fails when the process ends first. */
const exchange = <A>(
  child: ChildProcess,
  stderr: () => string,
  message: ParentMessage,
  match: (answer: ChildMessage) => Effect.Effect<A, InferenceError> | undefined,
  cancel?: ParentMessage
): Effect.Effect<A, InferenceError> =>
  Effect.callback<A, InferenceError>((resume) => {
    let settled: (() => void) | undefined
    const finish = (result: Effect.Effect<A, InferenceError>) => {
      child.off("message", onMessage).off("exit", onExit).off("error", onError)
      resume(result)
      settled?.()
    }
    const ended = (how: string) =>
      finish(
        Effect.fail(
          new InferenceError({
            reason: "crashed",
            message: [`the inference process ${how}`, stderr()].filter((part) => part !== "").join(": ")
          })
        )
      )
    const onMessage = (answer: ChildMessage) => {
      const result = match(answer)
      if (result !== undefined) finish(result)
    }
    const onExit = (code: number | null, signal: string | null) =>
      ended(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`)
    const onError = (error: Error) => ended(`failed (${error.message})`)
    if (!child.connected) {
      resume(Effect.fail(new InferenceError({ reason: "gone", message: "the inference process has ended" })))
      return
    }
    child.on("message", onMessage).on("exit", onExit).on("error", onError)
    child.send(message)
    return Effect.callback<void>((resumeCancel) => {
      if (cancel === undefined || !child.connected) {
        child.off("message", onMessage).off("exit", onExit).off("error", onError)
        return resumeCancel(Effect.void)
      }
      settled = () => resumeCancel(Effect.void)
      child.send(cancel)
    })
  })

/**
 * Starts a process and opens the model in it; the scope ends it. Fails with the reason why the model cannot be used.
 */
export const openInferenceProcess = Effect.fn("openInferenceProcess")(function* (
  spec: InferenceSpec
): Effect.fn.Return<InferenceProcess, InferenceError, Scope.Scope> {
  const { child, stderr } = yield* start
  const dimensions = yield* exchange(child, stderr, { type: "open", spec }, (answer) =>
    answer.type === "opened"
      ? Effect.succeed(answer.dimensions)
      : answer.type === "refused"
        ? Effect.fail(new InferenceError({ reason: "refused", message: answer.message }))
        : undefined
  )
  let lastId = 0
  return {
    pid: child.pid,
    dimensions,
    run: (request) =>
      Effect.suspend(() => {
        const id = ++lastId
        return exchange(
          child,
          stderr,
          { type: "run", id, request },
          (answer) => {
            if (answer.type === "done" && answer.id === id) return Effect.succeed(answer.result)
            if (answer.type === "failed" && answer.id === id) {
              return Effect.fail(new InferenceError({ reason: "refused", message: answer.message }))
            }
            return undefined
          },
          { type: "cancel", id }
        )
      })
  }
})
