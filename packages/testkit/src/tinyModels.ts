import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { onnxFile } from "./onnxFile.ts"

/** The words the tiny models know, by id. */
export const vocabulary = [
  "[PAD]",
  "[UNK]",
  "[CLS]",
  "[SEP]",
  "alpha",
  "beta",
  "gamma",
  "delta",
  "query",
  "passage",
  "nan"
] as const

const special = (id: number) => ({
  id,
  content: vocabulary[id],
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: true
})
const token = (id: string, type_id: number) => ({ SpecialToken: { id, type_id } })
const sequence = (id: string, type_id: number) => ({ Sequence: { id, type_id } })

/** Lower-cased words, BERT's special tokens. */
const tokenizerJson = {
  version: "1.0",
  truncation: null,
  padding: null,
  added_tokens: [0, 1, 2, 3].map(special),
  normalizer: { type: "Lowercase" },
  pre_tokenizer: { type: "WhitespaceSplit" },
  post_processor: {
    type: "TemplateProcessing",
    single: [token("[CLS]", 0), sequence("A", 0), token("[SEP]", 0)],
    pair: [token("[CLS]", 0), sequence("A", 0), token("[SEP]", 0), sequence("B", 1), token("[SEP]", 1)],
    special_tokens: {
      "[CLS]": { id: "[CLS]", ids: [2], tokens: ["[CLS]"] },
      "[SEP]": { id: "[SEP]", ids: [3], tokens: ["[SEP]"] }
    }
  },
  decoder: null,
  model: {
    type: "WordPiece",
    unk_token: "[UNK]",
    continuing_subword_prefix: "##",
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(vocabulary.map((word, id) => [word, id]))
  }
}

const size = vocabulary.length

/** Token vectors are the rows of the unit matrix, so the mean of a text is the share of each word; "nan" breaks it. */
const unitRows = Array.from({ length: size * size }, (_, at) => {
  const [row, column] = [Math.floor(at / size), at % size]
  return vocabulary[row] === "nan" ? Number.NaN : row === column ? 1 : 0
})

/** input_ids → last_hidden_state by a table. */
export const tinyEmbedder = onnxFile({
  inputs: ["input_ids", "attention_mask"],
  constants: { table: { dims: [size, size], values: unitRows } },
  nodes: [
    { op: "Gather", inputs: ["table", "input_ids"], output: "last_hidden_state", attributes: { axis: 0 } }
  ],
  output: { name: "last_hidden_state", rank: 3 }
})

/**
 * Logits = weights · (pairs of equal tokens, one from the question's segment and one from the passage's) + biases, one
 * for each label, computed from all three inputs. The closing [SEP] of both segments is such a pair.
 */
export const crossEncoderOf = (
  weights: ReadonlyArray<number>,
  biases: ReadonlyArray<number>,
  output = "logits"
): Uint8Array =>
  onnxFile({
    inputs: ["input_ids", "attention_mask", "token_type_ids"],
    constants: {
      one: { dims: [1], values: [1] },
      weight: { dims: [weights.length], values: weights },
      bias: { dims: [biases.length], values: biases }
    },
    nodes: [
      { op: "Cast", inputs: ["attention_mask"], output: "mask", attributes: { to: 1 } },
      { op: "Cast", inputs: ["token_type_ids"], output: "type", attributes: { to: 1 } },
      { op: "Mul", inputs: ["mask", "type"], output: "passage" },
      { op: "Sub", inputs: ["one", "type"], output: "notPassage" },
      { op: "Mul", inputs: ["mask", "notPassage"], output: "question" },
      { op: "Unsqueeze", inputs: ["input_ids"], output: "rows", attributes: { axes: [2] } },
      { op: "Unsqueeze", inputs: ["input_ids"], output: "columns", attributes: { axes: [1] } },
      { op: "Equal", inputs: ["rows", "columns"], output: "same" },
      { op: "Cast", inputs: ["same"], output: "equal", attributes: { to: 1 } },
      { op: "Unsqueeze", inputs: ["passage"], output: "passageColumn", attributes: { axes: [2] } },
      { op: "MatMul", inputs: ["equal", "passageColumn"], output: "matchesColumn" },
      { op: "Squeeze", inputs: ["matchesColumn"], output: "matches", attributes: { axes: [2] } },
      { op: "Mul", inputs: ["matches", "question"], output: "counted" },
      { op: "ReduceSum", inputs: ["counted"], output: "sum", attributes: { axes: [1], keepdims: 1 } },
      { op: "Mul", inputs: ["sum", "weight"], output: "scaled" },
      { op: "Add", inputs: ["scaled", "bias"], output }
    ],
    output: { name: output, rank: 2 }
  })

/** The one with a single label. */
export const tinyCrossEncoder = crossEncoderOf([2], [-3])

/** The files of a model folder. */
export const tinyFiles = (weights: Uint8Array): Record<string, string | Uint8Array> => ({
  "tokenizer.json": JSON.stringify(tokenizerJson),
  "onnx/model.onnx": weights
})

/** A folder in the system's temporary folder, gone with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "omnirag-onnx-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

/** Writes the files of a model into a folder with the name. */
export const modelFolder = Effect.fnUntraced(function* (
  name: string,
  files: Record<string, string | Uint8Array>
) {
  const folder = join(yield* temporaryFolder, name)
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), content)
  }
  return folder
})
