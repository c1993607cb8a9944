/**
 * What the author of a plugin needs, and no more: `definePlugin`, the ports with what goes through them, the errors they
 * may fail with, and the analysis of words that stores and embedders share with core.
 */

// a plugin and what it may ask for
export { HealthChecks } from "./plugin/HealthChecks.ts"
export type { HealthCheck, HealthReport } from "./domain/HealthCheck.ts"
export { definePlugin, type Plugin, type PluginDefinition, type PluginLayer } from "./plugin/definePlugin.ts"
export type {
  KindServices,
  ModelServices,
  OfferedTo,
  PluginKind,
  PluginServices,
  ProvidedBy
} from "./plugin/PluginKinds.ts"

// the ports
export * from "./ports/AnswerGenerator.ts"
export * from "./ports/CatalogProvider.ts"
export * from "./ports/Chunker.ts"
export * from "./ports/DocumentLoader.ts"
export * from "./ports/EmbedderProvider.ts"
export * from "./ports/ModelContext.ts"
export * from "./ports/Reranker.ts"
export * from "./ports/SourceProvider.ts"
export * from "./ports/VectorStoreProvider.ts"

// what goes through them
export type { TokenUsage } from "./domain/Answer.ts"
export { bodyOf, Chunk, makeChunkIds, textHash } from "./domain/Chunk.ts"
export { bundleOf, Document, documentId, Metadata, MetadataValue, Page } from "./domain/Document.ts"
export * as ChunkFilter from "./domain/ChunkFilter.ts"
export type { ChunkFields, ComparisonOperator, Filter, Scalar } from "./domain/Filter.ts"
export type { Hit, Place, StageScores } from "./domain/Hit.ts"
export { IndexRun } from "./domain/IndexRun.ts"

// what they may fail with
export {
  type AppError,
  CatalogError,
  ChunkingError,
  type ConfigFault,
  DocumentRefused,
  EmbeddingError,
  GenerationError,
  IndexCorrupt,
  IndexLocked,
  InvalidInput,
  PluginError,
  RerankError,
  SourceError,
  VectorStoreError
} from "./domain/errors.ts"

// what several plugins have in common
export { frontMatter, type FrontMatter } from "./language/frontMatter.ts"
export { analysisVersion, analyze, maximumTermLength, queryTerms } from "./language/terms.ts"
export { cutToFit, estimateTokens, type Fitted, fitByRank } from "./prompting/contextBudget.ts"
export { failureText, isContextExceeded, toGenerationError } from "./prompting/modelFailure.ts"
