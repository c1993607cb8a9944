/**
 * What the author of a plugin needs, and no more: `definePlugin`, the ports with what goes through them, the errors they
 * may fail with, and the analysis of words that stores and embedders share with core.
 */

// a plugin and what it may ask for
export { HealthChecks } from "./plugin/HealthChecks.ts"
export { HealthCheck, type HealthReport } from "./domain/HealthCheck.ts"
export { definePlugin, type Plugin, type PluginDefinition, type PluginLayer } from "./plugin/definePlugin.ts"
export type {
  KindServices,
  ModelServices,
  OfferedTo,
  PluginServices,
  ProvidedBy
} from "./plugin/PluginKinds.ts"
export { PluginKind } from "./domain/PluginInfo.ts"

// the ports
export * from "./ports/AnswerGenerator.ts"
export * from "./ports/ArtifactStore.ts"
export * from "./ports/CatalogProvider.ts"
export * from "./ports/Chunker.ts"
export * from "./ports/DataFolder.ts"
export * from "./ports/DocumentLoader.ts"
export * from "./ports/EmbedderProvider.ts"
export * from "./ports/GenerationRef.ts"
export * from "./ports/GenerationRegistry.ts"
export * from "./ports/ModelContext.ts"
export * from "./ports/Reranker.ts"
export * from "./ports/SourceProvider.ts"
export * from "./ports/VectorStoreCapabilities.ts"
export * from "./ports/VectorStoreProvider.ts"
export type * from "./ports/catalog/Catalog.ts"
export type * from "./ports/catalog/ChunkCatalog.ts"
export type * from "./ports/catalog/DocumentCatalog.ts"
export type * from "./ports/catalog/FactStore.ts"
export type * from "./ports/catalog/LexicalIndex.ts"
export type * from "./ports/catalog/Outbox.ts"
export type * from "./ports/catalog/RunHistory.ts"
export type * from "./ports/catalog/VectorCache.ts"

// what vector stores have to refuse, and how they say it
export { validateBatch, validateIds } from "./ports/vectorStore/validateBatch.ts"
export { validateCollection, validateGeneration } from "./ports/vectorStore/validateCollection.ts"
export { validateIdPage, validateQuery } from "./ports/vectorStore/validateQuery.ts"
export { validateStoreFilter } from "./ports/vectorStore/validateStoreFilter.ts"

// what goes through the ports
export { TokenUsage } from "./domain/Answer.ts"
export { bodyOf, Chunk, makeChunkIds, textHash } from "./domain/Chunk.ts"
export { bundleOf, Document, documentId, Metadata, MetadataValue, Page } from "./domain/Document.ts"
export { DocumentPage, DocumentRecord } from "./domain/DocumentRecord.ts"
export * as ChunkFilter from "./domain/ChunkFilter.ts"
export type { ChunkFields, ComparisonOperator, Filter, Scalar } from "./domain/Filter.ts"
export { Hit, Place, StageScores } from "./domain/Hit.ts"
export { IndexRun } from "./domain/IndexRun.ts"
export { SourceSummary } from "./domain/SourceSummary.ts"

// what they may fail with, and what helps
export {
  type AppError,
  CatalogError,
  ChunkingError,
  type ConfigFault,
  DocumentRefused,
  EmbeddingError,
  AnswerError,
  IndexCorrupt,
  IndexLocked,
  InvalidInput,
  PluginError,
  RerankError,
  SourceError,
  VectorStoreError
} from "./domain/errors.ts"
export { Notice, notice } from "./domain/Notice.ts"
export { Remedy, remedyOf, withRemedy } from "./domain/Remedy.ts"

// what several plugins have in common
export { type ChunkAnalysis, chunkAnalysis, type ChunkTerms } from "./language/ChunkAnalysis.ts"
export { frontMatter, type FrontMatter } from "./language/frontMatter.ts"
export { analysisVersion, analyze, maximumTermLength, queryTerms } from "./language/terms.ts"
export { cutToFit, estimateTokens, type Fitted, fitByRank } from "./prompting/contextBudget.ts"
export { failureText, isContextExceeded, toAnswerError } from "./prompting/modelFailure.ts"
