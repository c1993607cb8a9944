/**
 * Conformance suites for plugin authors: one per port, run on every implementation. Which suite proves which part:
 *
 * | port | suite | parts |
 * |---|---|---|
 * | CatalogProvider | `catalogConformance` | opening, documents, chunks, repeats, filters, lexical, cache, outbox, runs, facts, seeding; those in `parts`, all as a rule |
 * | GenerationRegistry | `registryConformance` | generations, lock |
 * | ArtifactStore | `artifactConformance` | bytes, fingerprint, replacement, size, damage |
 * | EmbedderProvider | `embedderConformance` | vectors, roles, fingerprint, fitting |
 * | VectorStoreProvider | `vectorStoreConformance` | by the capabilities that the store declares |
 * | DocumentLoader, SourceProvider, Chunker, Reranker | `loaderConformance`, `sourceConformance`, `chunkerConformance`, `rerankerConformance` | as a whole |
 *
 * docs/plugins.md says what each part tests.
 */

export * from "./loaderConformance.ts"
export * from "./sourceConformance.ts"
export * from "./chunkerConformance.ts"
export * from "./chunkFaults.ts"
export * from "./vectorStoreBadBatches.ts"
export * from "./vectorStoreConformance.ts"
export * from "./vectorStoreFilterMatrix.ts"
export * from "./vectorStoreHarness.ts"
export * from "./vectorStoreIds.ts"
export * from "./vectorStoreRows.ts"
export * from "./rerankerConformance.ts"
export * from "./catalogConformance.ts"
export * from "./catalogEntries.ts"
export * from "./catalogReads.ts"
export * from "./registryConformance.ts"
export * from "./artifactConformance.ts"
export * from "./freshIndex.ts"
export * from "./embedderConformance.ts"
export * from "./memoryArtifacts.ts"
export * from "./filterArbitraries.ts"
export * from "./memoryFilterCatalog.ts"
export * from "./temporaryDataFolder.ts"
export * from "./limitedStore.ts"
