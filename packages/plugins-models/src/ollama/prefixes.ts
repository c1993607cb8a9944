/** What goes before a text, depending on what it is embedded as. */
export interface Prefixes {
  readonly query: string
  readonly document: string
}

/**
 * The prefixes the families of embedding models were trained with, as their model cards give them. Without them a model
 * still answers, but finds less.
 */
const families: ReadonlyArray<readonly [RegExp, Prefixes]> = [
  [/nomic-embed/, { query: "search_query: ", document: "search_document: " }],
  [/mxbai-embed/, { query: "Represent this sentence for searching relevant passages: ", document: "" }],
  [
    /bge-(?:small|base|large)-en/,
    { query: "Represent this sentence for searching relevant passages: ", document: "" }
  ],
  [/bge-(?:small|base|large)-zh/, { query: "为这个句子生成表示以用于检索相关文章：", document: "" }],
  // bge-m3 and all-minilm want none
  [/bge-m3|all-minilm/, { query: "", document: "" }],
  [
    /bge-(?:small|base|large)/,
    { query: "Represent this sentence for searching relevant passages: ", document: "" }
  ],
  // version 2 shortened the prefix of version 1
  [/arctic-embed(?:[-_]?2|.*v2)/, { query: "query: ", document: "" }],
  [/arctic-embed/, { query: "Represent this sentence for searching relevant passages: ", document: "" }],
  [
    /e5-.*instruct/,
    {
      query: "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ",
      document: ""
    }
  ],
  [/(?:^|[-_/])e5(?:[-_:]|$)/, { query: "query: ", document: "passage: " }],
  [
    /qwen3-embedding/,
    {
      query: "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:",
      document: ""
    }
  ],
  [/embeddinggemma/, { query: "task: search result | query: ", document: "title: none | text: " }],
  [/granite-embedding|paraphrase-multilingual/, { query: "", document: "" }]
]

/** The prefixes of a model by its name; none for a family that is not known. */
export const prefixesFor = (model: string): Prefixes =>
  families.find(([pattern]) => pattern.test(model.toLowerCase()))?.[1] ?? { query: "", document: "" }
