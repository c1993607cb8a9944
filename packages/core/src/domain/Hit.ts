import { Schema } from "effect"
import { Chunk } from "./Chunk.ts"
import { Metadata } from "./Document.ts"
import { Notice } from "./Notice.ts"

export const SearchMode = Schema.Union([
  Schema.Literal("hybrid").annotate({ description: "By meaning and by words, fused." }),
  Schema.Literal("vector").annotate({ description: "By meaning: nearest vectors." }),
  Schema.Literal("lexical").annotate({ description: "By words: BM25." })
]).annotate({ description: "How candidates are found." })
export type SearchMode = typeof SearchMode.Type

export const StageScores = Schema.Struct({
  // of the question as it was asked, whatever the feedback added to it: the relevance floor is compared with it
  vector: Schema.NullOr(Schema.Finite).annotate({ description: "Cosine, −1 … 1." }),
  lexical: Schema.NullOr(Schema.Finite).annotate({ description: "BM25, from 0." }),
  fused: Schema.NullOr(Schema.Finite).annotate({ description: "What the fusion made of the two, 0 … 1." }),
  rerank: Schema.NullOr(Schema.Finite).annotate({ description: "The reranker's score." })
}).annotate({
  description:
    "The score of each stage a hit went through; null for a stage that did not see it. Higher is better everywhere."
})
export type StageScores = typeof StageScores.Type

export const Place = Schema.Struct({
  chunkId: Schema.String.annotate({ description: "The chunk there." }),
  documentId: Schema.String.annotate({ description: "The document there." }),
  path: Schema.String.annotate({ description: "POSIX path below the root of its source." }),
  startLine: Schema.Int.annotate({ description: "First line, from 1." }),
  endLine: Schema.Int.annotate({ description: "Last line, from 1." })
}).annotate({ description: "Another place that holds the same text as a hit." })
export type Place = typeof Place.Type

export const Hit = Schema.Struct({
  chunk: Chunk.annotate({ description: "The chunk." }),
  repo: Schema.String.annotate({ description: "Name of the source (a repository, usually)." }),
  bundle: Schema.NullOr(Schema.String).annotate({ description: "First folder of the path." }),
  path: Schema.String.annotate({ description: "POSIX path below the root of the source." }),
  title: Schema.String.annotate({ description: "Title of the document." }),
  metadata: Metadata.annotate({ description: "Metadata of the document." }),
  score: Schema.Finite.annotate({ description: "Score of the last stage: the order of the hits." }),
  scores: StageScores.annotate({ description: "The score of each stage." }),
  // without this, copies would fill the result
  alsoIn: Schema.Array(Place).annotate({ description: "The first of the other places with the same text." }),
  alsoInCount: Schema.Int.annotate({
    description: "How many other places of the source hold the same text, as far as the filter allows."
  })
}).annotate({ description: "A retrieved chunk with where it comes from." })
export interface Hit extends Schema.Schema.Type<typeof Hit> {}

export const SearchResult = Schema.Struct({
  hits: Schema.Array(Hit).annotate({ description: "The hits, best first." }),
  mode: SearchMode.annotate({ description: "The mode that was used." }),
  warnings: Schema.Array(Notice).annotate({
    description: "What the user should know: a stage that was skipped, an empty index."
  })
}).annotate({ description: "What a search found, best first." })
export interface SearchResult extends Schema.Schema.Type<typeof SearchResult> {}
