/**
 * A language model with random weights, small enough to be made in a test: the Llama architecture with one layer and a
 * vocabulary of the 256 bytes and the letters. It says nothing sensible, but a real Ollama server loads it, streams from
 * it and embeds with it. GGUF: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */

const width = 64
const hidden = 128
const contextLength = 512

/** A small deterministic generator (mulberry32), so that the same model is made each time. */
const randomFrom = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
}

const uint32 = (value: number) => {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32LE(value)
  return buffer
}
const uint64 = (value: number) => {
  const buffer = Buffer.alloc(8)
  buffer.writeBigUInt64LE(BigInt(value))
  return buffer
}
const float32 = (values: ReadonlyArray<number>) => Buffer.from(Float32Array.from(values).buffer)
const text = (value: string) => Buffer.concat([uint64(Buffer.byteLength(value)), Buffer.from(value)])

// value types of GGUF
const [UINT32, INT32, FLOAT32, STRING, ARRAY] = [4, 5, 6, 8, 9]

const pair = (key: string, type: number, value: Buffer) => Buffer.concat([text(key), uint32(type), value])
const array = (key: string, type: number, length: number, values: Buffer) =>
  pair(key, ARRAY, Buffer.concat([uint32(type), uint64(length), values]))

const tokens = [
  "<unk>",
  "<s>",
  "</s>",
  ...Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`),
  "▁",
  ..."abcdefghijklmnopqrstuvwxyz"
]
const NORMAL = 1
const UNKNOWN = 2
const CONTROL = 3
const BYTE = 6
const tokenType = (index: number) =>
  index === 0 ? UNKNOWN : index < 3 ? CONTROL : index < 259 ? BYTE : NORMAL

/** The bytes of the model file. */
export const tinyModel = (): Buffer => {
  const random = randomFrom(7)
  const weights = (...shape: ReadonlyArray<number>) => ({
    shape,
    values: Array.from({ length: shape.reduce((product, size) => product * size, 1) }, () => random() - 0.5)
  })
  const ones = { shape: [width], values: Array.from<number>({ length: width }).fill(1) }
  const tensors = {
    "token_embd.weight": weights(width, tokens.length),
    "output_norm.weight": ones,
    "output.weight": weights(width, tokens.length),
    "blk.0.attn_norm.weight": ones,
    "blk.0.attn_q.weight": weights(width, width),
    "blk.0.attn_k.weight": weights(width, width),
    "blk.0.attn_v.weight": weights(width, width),
    "blk.0.attn_output.weight": weights(width, width),
    "blk.0.ffn_norm.weight": ones,
    "blk.0.ffn_gate.weight": weights(width, hidden),
    "blk.0.ffn_up.weight": weights(width, hidden),
    "blk.0.ffn_down.weight": weights(hidden, width)
  }
  const metadata = [
    pair("general.architecture", STRING, text("llama")),
    pair("general.name", STRING, text("tiny")),
    pair("general.file_type", UINT32, uint32(0)),
    pair("llama.context_length", UINT32, uint32(contextLength)),
    pair("llama.embedding_length", UINT32, uint32(width)),
    pair("llama.block_count", UINT32, uint32(1)),
    pair("llama.feed_forward_length", UINT32, uint32(hidden)),
    pair("llama.rope.dimension_count", UINT32, uint32(16)),
    pair("llama.attention.head_count", UINT32, uint32(4)),
    pair("llama.attention.head_count_kv", UINT32, uint32(4)),
    pair("llama.attention.layer_norm_rms_epsilon", FLOAT32, float32([1e-5])),
    pair("llama.vocab_size", UINT32, uint32(tokens.length)),
    pair("tokenizer.ggml.model", STRING, text("llama")),
    array("tokenizer.ggml.tokens", STRING, tokens.length, Buffer.concat(tokens.map(text))),
    array("tokenizer.ggml.scores", FLOAT32, tokens.length, float32(tokens.map((_, index) => -index))),
    array(
      "tokenizer.ggml.token_type",
      INT32,
      tokens.length,
      Buffer.concat(tokens.map((_, index) => uint32(tokenType(index))))
    ),
    pair("tokenizer.ggml.unknown_token_id", UINT32, uint32(0)),
    pair("tokenizer.ggml.bos_token_id", UINT32, uint32(1)),
    pair("tokenizer.ggml.eos_token_id", UINT32, uint32(2))
  ]
  let offset = 0
  const infos = Object.entries(tensors).map(([name, { shape, values }]) => {
    const info = [text(name), uint32(shape.length), ...shape.map(uint64), uint32(0), uint64(offset)]
    offset += values.length * 4
    return Buffer.concat(info)
  })
  const head = Buffer.concat([
    Buffer.from("GGUF"),
    uint32(3),
    uint64(infos.length),
    uint64(metadata.length),
    ...metadata,
    ...infos
  ])
  // every tensor is a multiple of 32 bytes long, so only the head needs padding
  const padding = Buffer.alloc((32 - (head.length % 32)) % 32)
  return Buffer.concat([head, padding, ...Object.values(tensors).map(({ values }) => float32(values))])
}
