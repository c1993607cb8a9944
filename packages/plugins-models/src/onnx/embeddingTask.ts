import type { InferenceSpec, InferenceTask } from "./inferenceProtocol.ts"
import { addUnit, poolRow, toUnit } from "./pooling.ts"
import { TextTokenizer, type TokenRow } from "./TextTokenizer.ts"
import { tokenBuckets } from "./tokenBuckets.ts"
import { TransformerModel } from "./TransformerModel.ts"
import { splitWindows } from "./windows.ts"

/** The output of a model that does the pooling itself. */
const pooledOutput = "sentence_embedding"
/** Names that exporters give to the token vectors. */
const tokenOutputs = ["last_hidden_state", "token_embeddings"]

const range = (start: number, end: number): ReadonlyArray<number> =>
  Array.from({ length: end - start }, (_, i) => start + i)

/**
 * Turns texts into unit vectors. A text that is too long for the model is split into overlapping windows; its vector is
 * the mean of their unit vectors, scaled to length 1. A text without any token gets a vector of zeros.
 */
export const openEmbeddingTask = async (spec: InferenceSpec): Promise<InferenceTask> => {
  const tokenizer = new TextTokenizer(spec.tokenizer, spec.tokenizerConfig)
  const model = await TransformerModel.open(spec.weights, spec.threads)

  const embedRows = async (rows: ReadonlyArray<TokenRow>): Promise<ReadonlyArray<Float32Array>> => {
    const output = await model.run(rows, tokenizer.padId, [...tokenOutputs, pooledOutput])
    const { name, width, data, dims } = output
    const dimensions = dims.at(-1) ?? 0
    const shape = name === pooledOutput ? [rows.length, dimensions] : [rows.length, width, dimensions]
    if (dimensions === 0 || shape.join() !== dims.join()) {
      throw new Error(
        `it is not an embedding model: its output ${name} has the shape [${dims.join(", ")}] instead of [batch, tokens, dimensions]`
      )
    }
    return rows.map((row, at) =>
      name === pooledOutput
        ? data.slice(at * dimensions, (at + 1) * dimensions)
        : poolRow(data, at, width, dimensions, row.ids.length, spec.pooling)
    )
  }

  const probe = await embedRows([tokenizer.singleRow(tokenizer.contentIds("a"))])
  const dimensions = probe[0]?.length ?? 0

  /** The rows of one text: none for a text without tokens, several for a text that is too long. */
  const rowsOf = (
    text: string,
    prefix: string,
    prefixIds: ReadonlyArray<number>
  ): ReadonlyArray<TokenRow> => {
    const content = tokenizer.contentIds(text)
    if (content.length === 0) return []
    const room = spec.maxTokens - tokenizer.singleOverhead
    if (prefixIds.length + content.length <= room) {
      return [tokenizer.singleRow(prefix === "" ? content : tokenizer.contentIds(prefix + text))]
    }
    const size = room - prefixIds.length
    if (size <= spec.overlap) {
      throw new Error(
        `maxTokens ${spec.maxTokens} leaves ${size} tokens for the text, no more than the overlap of ${spec.overlap}`
      )
    }
    return splitWindows(content.length, size, spec.overlap).map(([start, end]) =>
      tokenizer.singleRow([...prefixIds, ...content.slice(start, end)])
    )
  }

  return {
    dimensions,
    run: async ({ context: prefix, texts }, yieldToCancel) => {
      const prefixIds = prefix === "" ? [] : tokenizer.contentIds(prefix)
      const rows: Array<TokenRow> = []
      const spans: Array<readonly [start: number, end: number]> = []
      for (const text of texts) {
        const start = rows.length
        rows.push(...rowsOf(text, prefix, prefixIds))
        spans.push([start, rows.length])
      }
      const vectors: Array<Float32Array> = []
      const lengths = rows.map((row) => row.ids.length)
      for (const bucket of tokenBuckets(lengths, spec.batchTokens)) {
        await yieldToCancel()
        const pooled = await embedRows(bucket.flatMap((at) => rows[at] ?? []))
        pooled.forEach((vector, i) => (vectors[bucket[i] ?? 0] = vector))
      }
      const numbers = new Float32Array(texts.length * dimensions)
      spans.forEach(([start, end], index) => {
        const target = numbers.subarray(index * dimensions, (index + 1) * dimensions)
        for (const at of range(start, end)) addUnit(target, vectors[at] ?? target)
        toUnit(target)
      })
      const warnings = spans.flatMap(([start, end], index) =>
        end - start > 1
          ? [
              {
                index,
                message: `longer than the ${spec.maxTokens} tokens the model takes: embedded as the mean of ${end - start} windows`
              }
            ]
          : []
      )
      return { numbers, warnings }
    }
  }
}
