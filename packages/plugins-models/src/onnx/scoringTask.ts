import type { InferenceSpec, InferenceTask } from "./inferenceProtocol.ts"
import { TextTokenizer } from "./TextTokenizer.ts"
import { tokenBuckets } from "./tokenBuckets.ts"
import { TransformerModel } from "./TransformerModel.ts"

/**
 * Scores of texts against a question by a cross-encoder: its one logit, or for a model with two labels (no, yes) the
 * difference of the two. The text is cut to fit into the model, the question never.
 */
export const openScoringTask = async (spec: InferenceSpec): Promise<InferenceTask> => {
  const tokenizer = new TextTokenizer(spec.tokenizer, spec.tokenizerConfig)
  const model = await TransformerModel.open(spec.weights, spec.threads)

  const scoreRows = async (rows: Parameters<TransformerModel["run"]>[0]): Promise<ReadonlyArray<number>> => {
    const { name, data, dims } = await model.run(rows, tokenizer.padId, ["logits"])
    const labels = dims[1]
    if (dims.length !== 2 || dims[0] !== rows.length || (labels !== 1 && labels !== 2)) {
      throw new Error(
        `it is not a cross-encoder: its output ${name} has the shape [${dims.join(", ")}] instead of [batch, one or two labels]`
      )
    }
    return rows.map((_, at) =>
      labels === 1
        ? (data[at] ?? Number.NaN)
        : (data[2 * at + 1] ?? Number.NaN) - (data[2 * at] ?? Number.NaN)
    )
  }

  await scoreRows([tokenizer.pairRow(tokenizer.contentIds("a"), tokenizer.contentIds("b"))])

  return {
    dimensions: 1,
    run: async ({ context: question, texts }, yieldToCancel) => {
      const questionIds = tokenizer.contentIds(question)
      const room = spec.maxTokens - tokenizer.pairOverhead - questionIds.length
      if (room < 1) {
        throw new Error(
          `the question has ${questionIds.length} tokens and leaves no room for a passage in the ${spec.maxTokens} the model takes`
        )
      }
      const rows = texts.map((text) =>
        tokenizer.pairRow(questionIds, tokenizer.contentIds(text).slice(0, room))
      )
      const numbers = new Float32Array(texts.length)
      const lengths = rows.map((row) => row.ids.length)
      for (const bucket of tokenBuckets(lengths, spec.batchTokens)) {
        await yieldToCancel()
        const scores = await scoreRows(bucket.flatMap((at) => rows[at] ?? []))
        scores.forEach((score, i) => (numbers[bucket[i] ?? 0] = score))
      }
      return { numbers, warnings: [] }
    }
  }
}
