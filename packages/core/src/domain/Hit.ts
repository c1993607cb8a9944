import { Schema } from "effect"
import { Chunk } from "./Chunk.ts"
import { MetadataValue } from "./Document.ts"
import { Notice } from "./Notice.ts"

export const SearchMode = Schema.Literals(["hybrid", "vector", "lexical"])
export type SearchMode = typeof SearchMode.Type

/** The score of each stage a hit went through; null for a stage that did not see it. Higher is better everywhere. */
export const StageScores = Schema.Struct({
  /**
   * Cosine of the chunk and the question as it was asked, −1 … 1, whatever the search made of the question (feedback):
   * the relevance floor is measured on it.
   */
  vector: Schema.NullOr(Schema.Finite),
  /** BM25, 0 … */
  lexical: Schema.NullOr(Schema.Finite),
  /** What the fusion made of the two: 0 … 1. */
  fused: Schema.NullOr(Schema.Finite),
  rerank: Schema.NullOr(Schema.Finite)
})
export type StageScores = typeof StageScores.Type

/** Another place that holds the same text as a hit. */
export const Place = Schema.Struct({
  chunkId: Schema.String,
  documentId: Schema.String,
  path: Schema.String,
  startLine: Schema.Int,
  endLine: Schema.Int
})
export type Place = typeof Place.Type

/** A retrieved chunk with where it comes from. */
export const Hit = Schema.Struct({
  chunk: Chunk,
  repo: Schema.String,
  bundle: Schema.NullOr(Schema.String),
  path: Schema.String,
  title: Schema.String,
  metadata: Schema.Record(Schema.String, MetadataValue),
  /** The score of the last stage: the order of the hits. */
  score: Schema.Finite,
  scores: StageScores,
  /** The first of the other places with the same text, which would otherwise crowd the result. */
  alsoIn: Schema.Array(Place),
  /** How many other places there are. */
  alsoInCount: Schema.Int
})
export interface Hit extends Schema.Schema.Type<typeof Hit> {}

export const SearchResult = Schema.Struct({
  hits: Schema.Array(Hit),
  mode: SearchMode,
  /** What the user should know: a stage that was skipped, an empty index. */
  warnings: Schema.Array(Notice)
})
export interface SearchResult extends Schema.Schema.Type<typeof SearchResult> {}
