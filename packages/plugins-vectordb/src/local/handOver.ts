import { Effect } from "effect"
import { type VectorBatch, VectorStoreError } from "@omnirag/core/plugin"

/** Rows of one message. */
const rowsPerSlice = 512
/** Floats copied at once. */
const floatsPerSlice = 1 << 19
/** The event loop is given back after so many milliseconds. */
const budget = 4

const breathe = Effect.callback<void>((resume) => {
  const timer = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(timer))
})

/** Runs `step` for 0, 1, … while it gives true, and lets the event loop turn every few milliseconds. */
const inSlices = Effect.fnUntraced(function* (step: (n: number) => boolean) {
  let since = performance.now()
  for (let n = 0; step(n); n++) {
    if (performance.now() - since < budget) continue
    yield* breathe
    since = performance.now()
  }
})

/** The ids and fields of a batch as JSON `[ids, fields]`, in slices. At least one. */
export const sliceRows = Effect.fnUntraced(function* (
  store: string,
  batch: VectorBatch,
  send: (rows: string) => Effect.Effect<unknown, VectorStoreError>
) {
  const rows = Math.max(batch.ids.length, batch.fields.length, 1)
  let since = performance.now()
  for (let start = 0; start < rows; start += rowsPerSlice) {
    const text = yield* Effect.try({
      try: () =>
        JSON.stringify([
          batch.ids.slice(start, start + rowsPerSlice),
          batch.fields.slice(start, start + rowsPerSlice)
        ]),
      catch: (cause) =>
        new VectorStoreError({
          store,
          reason: "native",
          message: `the fields of a row cannot be written as JSON: ${String(cause)}`,
          cause
        })
    })
    yield* send(text)
    if (performance.now() - since < budget) continue
    yield* breathe
    since = performance.now()
  }
})

/**
 * The vectors in a buffer that can be handed to another thread: their own when they fill it, else a copy, made without
 * holding up the event loop.
 */
export const ownBuffer = Effect.fnUntraced(function* (vectors: Float32Array) {
  const { buffer } = vectors
  if (buffer instanceof ArrayBuffer && buffer.byteLength === vectors.byteLength && !buffer.resizable)
    return { vectors, buffer }
  const copy = new Float32Array(vectors.length)
  yield* inSlices((n) => {
    const start = n * floatsPerSlice
    copy.set(vectors.subarray(start, start + floatsPerSlice), start)
    return start + floatsPerSlice < vectors.length
  })
  return { vectors: copy, buffer: copy.buffer }
})
