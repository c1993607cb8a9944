import { Tokenizer } from "@huggingface/tokenizers"
import { readFileSync } from "node:fs"

/** Token ids with the segment (0 or 1) each belongs to: one row of a model's input. */
export interface TokenRow {
  readonly ids: ReadonlyArray<number>
  readonly types: ReadonlyArray<number>
}

/** The special tokens around one text, or around and between two. */
interface Frame {
  readonly before: ReadonlyArray<number>
  readonly between: ReadonlyArray<number>
  readonly after: ReadonlyArray<number>
  readonly types: { readonly between: number; readonly second: number; readonly after: number }
}

const indexOfRun = (ids: ReadonlyArray<number>, run: ReadonlyArray<number>, from: number): number => {
  for (let at = from; at <= ids.length - run.length; at++) {
    if (run.every((id, i) => ids[at + i] === id)) return at
  }
  throw new Error("tokenizer.json: the post-processor changes the tokens of the text itself")
}

/** A model's own tokenizer, with texts and special tokens kept separate, so that long texts can be divided. */
export class TextTokenizer {
  readonly padId: number
  private readonly tokenizer: Tokenizer
  private readonly single: Frame
  private readonly pair: Frame

  /** Reads `tokenizer.json` and, where there is one, `tokenizer_config.json`; throws when they are not valid. */
  constructor(tokenizerFile: string, configFile: string | null) {
    const config: Record<string, unknown> =
      configFile === null ? {} : JSON.parse(readFileSync(configFile, "utf8"))
    this.tokenizer = new Tokenizer(JSON.parse(readFileSync(tokenizerFile, "utf8")), config)
    const pad = typeof config["pad_token"] === "string" ? config["pad_token"] : "[PAD]"
    this.padId = this.tokenizer.token_to_id(pad) ?? 0
    // a test text shows what the model puts around texts: post-processors have many forms
    const first = this.contentIds("a")
    const second = this.contentIds("b")
    const alone = this.tokenizer.encode("a").ids
    const at = indexOfRun(alone, first, 0)
    this.single = {
      before: alone.slice(0, at),
      between: [],
      after: alone.slice(at + first.length),
      types: { between: 0, second: 0, after: 0 }
    }
    const both = this.tokenizer.encode("a", { text_pair: "b", return_token_type_ids: true })
    const firstAt = indexOfRun(both.ids, first, 0)
    const firstEnd = firstAt + first.length
    const secondAt = indexOfRun(both.ids, second, firstEnd)
    const secondEnd = secondAt + second.length
    this.pair = {
      before: both.ids.slice(0, firstAt),
      between: both.ids.slice(firstEnd, secondAt),
      after: both.ids.slice(secondEnd),
      types: {
        between: both.token_type_ids[firstEnd] ?? 0,
        second: both.token_type_ids[secondAt] ?? 0,
        after: both.token_type_ids[secondEnd] ?? 0
      }
    }
  }

  /** Special tokens a row has besides the text. */
  get singleOverhead(): number {
    return this.single.before.length + this.single.after.length
  }

  /** Special tokens a row has besides its two texts. */
  get pairOverhead(): number {
    return this.pair.before.length + this.pair.between.length + this.pair.after.length
  }

  /** The ids of the text alone, without special tokens. */
  contentIds(text: string): ReadonlyArray<number> {
    return this.tokenizer.encode(text, { add_special_tokens: false }).ids
  }

  singleRow(content: ReadonlyArray<number>): TokenRow {
    const ids = [...this.single.before, ...content, ...this.single.after]
    return { ids, types: ids.map(() => 0) }
  }

  pairRow(first: ReadonlyArray<number>, second: ReadonlyArray<number>): TokenRow {
    const { before, between, after, types } = this.pair
    return {
      ids: [...before, ...first, ...between, ...second, ...after],
      types: [
        ...before.map(() => 0),
        ...first.map(() => 0),
        ...between.map(() => types.between),
        ...second.map(() => types.second),
        ...after.map(() => types.after)
      ]
    }
  }
}
