import { Effect, Pool, type Scope } from "effect"
import { InferenceError, type InferenceProcess } from "./InferenceProcess.ts"
import type { InferenceRequest, InferenceResult } from "./inferenceProtocol.ts"

/** Inference processes with the same model. */
export interface InferencePool {
  /** Numbers of the result for each text. */
  readonly dimensions: number
  /**
   * Distributes the texts over the processes; the result is in the order of the texts and all its numbers are finite.
   */
  readonly run: (request: InferenceRequest) => Effect.Effect<InferenceResult, InferenceError>
}

/** Texts that a process gets at a time: few, so that a question does not wait long during an index run. */
const textsPerSlice = 16

/** Indices of texts sorted by length and divided into slices: texts of similar length need the least padding. */
const sliceByLength = (
  texts: ReadonlyArray<string>,
  workers: number
): ReadonlyArray<ReadonlyArray<number>> => {
  const order = texts.map((text, index) => ({ length: text.length, index }))
  order.sort((a, b) => a.length - b.length || a.index - b.index)
  const size = Math.min(textsPerSlice, Math.ceil(order.length / workers))
  return Array.from({ length: size === 0 ? 0 : Math.ceil(order.length / size) }, (_, at) =>
    order.slice(at * size, (at + 1) * size).map(({ index }) => index)
  )
}

/** Starts `workers` processes and waits for the first to be ready; the scope ends them. One that crashes is replaced. */
export const makeInferencePool = Effect.fn("makeInferencePool")(function* (
  open: Effect.Effect<InferenceProcess, InferenceError, Scope.Scope>,
  workers: number
): Effect.fn.Return<InferencePool, InferenceError, Scope.Scope> {
  const pool = yield* Pool.make({ acquire: open, size: workers })
  const dimensions = yield* Pool.use(pool, (worker) => Effect.succeed(worker.dimensions))

  const runSlice = (request: InferenceRequest) =>
    Pool.use(pool, (worker) =>
      worker
        .run(request)
        .pipe(
          Effect.tapError((error) =>
            error.reason === "refused" ? Effect.void : Pool.invalidate(pool, worker)
          )
        )
    ).pipe(
      // another process may succeed, since the usual cause is a lack of memory; a text that crashes every process fails
      Effect.retry({ times: workers, while: (error) => error.reason !== "refused" })
    )

  const run = Effect.fn("InferencePool.run")(function* ({
    context,
    texts
  }: InferenceRequest): Effect.fn.Return<InferenceResult, InferenceError> {
    const numbers = new Float32Array(texts.length * dimensions)
    const slices = yield* Effect.forEach(
      sliceByLength(texts, workers),
      (indices) =>
        Effect.map(runSlice({ context, texts: indices.map((index) => texts[index] ?? "") }), (result) => {
          indices.forEach((index, at) =>
            numbers.set(result.numbers.subarray(at * dimensions, (at + 1) * dimensions), index * dimensions)
          )
          return result.warnings.map(({ index, message }) => ({ index: indices[index] ?? index, message }))
        }),
      { concurrency: workers }
    )
    if (!numbers.every(Number.isFinite)) {
      return yield* new InferenceError({
        reason: "refused",
        message:
          "the model gave a number that is not finite: its weights are damaged or do not suit this processor"
      })
    }
    return { numbers, warnings: slices.flat().toSorted((a, b) => a.index - b.index) }
  })

  return { dimensions, run }
})
