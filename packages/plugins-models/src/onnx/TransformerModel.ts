import type * as runtime from "onnxruntime-node"
import type { TokenRow } from "./TextTokenizer.ts"

type Runtime = typeof runtime

/** An output of a run. */
export interface ModelOutput {
  readonly name: string
  /** Tokens of each row, including padding. */
  readonly width: number
  /** The first dimension is the rows of the run. */
  readonly data: Float32Array
  readonly dims: ReadonlyArray<number>
}

const loadRuntime = async (): Promise<Runtime> => {
  try {
    return await import("onnxruntime-node")
  } catch (cause) {
    throw new Error(
      `the ONNX runtime cannot be loaded on ${process.platform}-${process.arch}; install it with "npm install onnxruntime-node"`,
      { cause }
    )
  }
}

const knownInputs = new Set(["input_ids", "attention_mask", "token_type_ids"])

/**
 * A transformer encoder (BERT and similar models) in ONNX form. Must be used in a separate process, since a run blocks.
 */
export class TransformerModel {
  private readonly runtime: Runtime
  private readonly session: runtime.InferenceSession

  private constructor(loaded: Runtime, session: runtime.InferenceSession) {
    this.runtime = loaded
    this.session = session
  }

  /** Loads the weights; rejects with the runtime's message when the file is not such a model. */
  static async open(weights: string, threads: number): Promise<TransformerModel> {
    const loaded = await loadRuntime()
    const session = await loaded.InferenceSession.create(weights, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: "sequential",
      graphOptimizationLevel: "all",
      logSeverityLevel: 3
    })
    const foreign = session.inputNames.filter((name) => !knownInputs.has(name))
    if (foreign.length > 0 || !session.inputNames.includes("input_ids")) {
      throw new Error(
        `${weights} takes the inputs ${session.inputNames.join(", ")}; an encoder that takes input_ids, attention_mask and token_type_ids is needed`
      )
    }
    return new TransformerModel(loaded, session)
  }

  /**
   * Runs the rows as one padded batch. Returns the first output that has one of the names, or else the first output.
   */
  async run(
    rows: ReadonlyArray<TokenRow>,
    padId: number,
    outputNames: ReadonlyArray<string>
  ): Promise<ModelOutput> {
    const width = Math.max(...rows.map((row) => row.ids.length))
    const size = rows.length * width
    const ids = new BigInt64Array(size).fill(BigInt(padId))
    const mask = new BigInt64Array(size)
    const types = new BigInt64Array(size)
    rows.forEach((row, at) => {
      row.ids.forEach((id, token) => {
        ids[at * width + token] = BigInt(id)
        mask[at * width + token] = 1n
        types[at * width + token] = BigInt(row.types[token] ?? 0)
      })
    })
    const tensor = (data: BigInt64Array): runtime.Tensor =>
      new this.runtime.Tensor("int64", data, [rows.length, width])
    const inputs: Record<string, runtime.Tensor> = {
      input_ids: tensor(ids),
      attention_mask: tensor(mask),
      token_type_ids: tensor(types)
    }
    const feeds = Object.fromEntries(
      Object.entries(inputs).filter(([name]) => this.session.inputNames.includes(name))
    )
    const name =
      outputNames.find((wanted) => this.session.outputNames.includes(wanted)) ??
      this.session.outputNames[0] ??
      ""
    const output = (await this.session.run(feeds, [name]))[name]
    if (output === undefined || !(output.data instanceof Float32Array)) {
      throw new Error(
        `the model's output "${name}" is ${output?.type ?? "missing"}; take the float32 or the quantised (q8) file of the model`
      )
    }
    return { name, width, data: output.data, dims: output.dims }
  }
}
