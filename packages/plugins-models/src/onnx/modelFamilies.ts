/** How a family of embedding models expects its texts. */
export interface ModelFamily {
  readonly name: string
  readonly queryPrefix: string
  readonly documentPrefix: string
  /** Used where the model folder has no `1_Pooling/config.json`. */
  readonly pooling: Pooling
  /** Measured with the small model of the family, see docs/decisions/0008-relevance-floor.md. */
  readonly relevanceFloor?: number
}

/** How token vectors become one: their mean, or the vector of the first token. */
export type Pooling = "mean" | "cls"

const searchPassages = "Represent this sentence for searching relevant passages: "

/** Found by a part of the model's name; the first match wins. The prefixes come from the model cards. */
const families: ReadonlyArray<readonly [pattern: RegExp, family: ModelFamily]> = [
  [/bge-m3/, { name: "bge-m3", queryPrefix: "", documentPrefix: "", pooling: "cls" }],
  [
    /bge-.*-zh/,
    {
      name: "bge-zh",
      queryPrefix: "为这个句子生成表示以用于检索相关文章：",
      documentPrefix: "",
      pooling: "cls"
    }
  ],
  [
    /bge-/,
    { name: "bge", queryPrefix: searchPassages, documentPrefix: "", pooling: "cls", relevanceFloor: 0.63 }
  ],
  [/mxbai-embed/, { name: "mxbai", queryPrefix: searchPassages, documentPrefix: "", pooling: "cls" }],
  [/arctic-embed.*v2/, { name: "arctic-v2", queryPrefix: "query: ", documentPrefix: "", pooling: "cls" }],
  [/arctic-embed/, { name: "arctic", queryPrefix: searchPassages, documentPrefix: "", pooling: "cls" }],
  [
    /nomic-embed/,
    {
      name: "nomic",
      queryPrefix: "search_query: ",
      documentPrefix: "search_document: ",
      pooling: "mean"
    }
  ],
  [
    /(^|[^a-z0-9])e5-.*instruct/,
    {
      name: "e5-instruct",
      queryPrefix:
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ",
      documentPrefix: "",
      pooling: "mean"
    }
  ],
  [
    /(^|[^a-z0-9])e5-/,
    { name: "e5", queryPrefix: "query: ", documentPrefix: "passage: ", pooling: "mean", relevanceFloor: 0.69 }
  ],
  [/gte-.*v1\.5|gte-modernbert/, { name: "gte-v1.5", queryPrefix: "", documentPrefix: "", pooling: "cls" }]
]

const plain: ModelFamily = { name: "plain", queryPrefix: "", documentPrefix: "", pooling: "mean" }

/** The family of a model by its name (folder or hub name); models that are not listed get no prefixes and mean pooling. */
export const modelFamily = (model: string): ModelFamily => {
  const name = model.toLowerCase()
  return families.find(([pattern]) => pattern.test(name))?.[1] ?? plain
}
