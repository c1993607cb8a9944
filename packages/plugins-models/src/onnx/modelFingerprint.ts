import { Effect } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { pipeline } from "node:stream/promises"
import { type ModelFolder, ModelFolderError } from "./ModelFolder.ts"

/** The operator whose name in the file shows that the weights are dynamically quantised. */
const dynamicQuantisation = Buffer.from("DynamicQuantizeLinear")

export interface ModelFingerprint {
  /** SHA-256 (hex) of weights, tokenizer and settings. */
  readonly hash: string
  /**
   * The model scales its activations by the largest of a run, so the other texts in the run change the last digits of a
   * vector. Such models get one text in each run, so that the same text always has the same vector.
   */
  readonly dynamicallyQuantised: boolean
}

/** Reads the files of a model completely; `settings` is everything else that changes its vectors. */
export const modelFingerprint = Effect.fn("modelFingerprint")(function* (
  model: ModelFolder,
  settings: ReadonlyArray<string | number>
): Effect.fn.Return<ModelFingerprint, ModelFolderError> {
  const hash = createHash("sha256")
  let dynamicallyQuantised = false
  let tail = Buffer.alloc(0)
  const read = (file: string) =>
    Effect.tryPromise({
      try: (signal) =>
        pipeline(
          createReadStream(file, { highWaterMark: 1 << 20 }),
          async (chunks: AsyncIterable<Buffer>) => {
            for await (const chunk of chunks) {
              hash.update(chunk)
              // the name may be divided between two chunks
              const seen = dynamicallyQuantised ? chunk : Buffer.concat([tail, chunk])
              dynamicallyQuantised ||= seen.includes(dynamicQuantisation)
              tail = Buffer.from(chunk.subarray(-dynamicQuantisation.length))
            }
          },
          { signal }
        ),
      catch: (cause) => new ModelFolderError({ message: `${file} cannot be read: ${String(cause)}`, cause })
    })
  yield* read(model.weights)
  for (const file of [model.externalWeights, model.tokenizer, model.tokenizerConfig]) {
    if (file !== null) yield* read(file)
  }
  hash.update(JSON.stringify(settings))
  return { hash: hash.digest("hex"), dynamicallyQuantised }
})
