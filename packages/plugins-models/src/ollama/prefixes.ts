/** What is put before a text, depending on its role. */
export interface Prefixes {
  readonly query: string
  readonly document: string
}

/**
 * The prefixes that the families of embedding models were trained with, from their model cards. Without them a model
 * still works, but finds less.
 */
const families: ReadonlyArray<readonly [RegExp, Prefixes]> = [
  [/nomic-embed/, { query: "search_query: ", document: "search_document: " }],
  [/mxbai-embed/, { query: "Represent this sentence for searching relevant passages: ", document: "" }],
  [
    /bge-(?:small|base|large)-en/,
    { query: "Represent this sentence for searching relevant passages: ", document: "" }
  ],
  [/bge-(?:small|base|large)-zh/, { query: "为这个句子生成表示以用于检索相关文章：", document: "" }],
  // bge-m3 and all-minilm need none
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

/** The prefixes of a model, found by its name; none for an unknown family. */
export const prefixesFor = (model: string): Prefixes =>
  families.find(([pattern]) => pattern.test(model.toLowerCase()))?.[1] ?? { query: "", document: "" }
