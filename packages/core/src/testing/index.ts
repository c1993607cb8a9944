/** Conformance suites for plugin authors: one per port, run on every implementation. */
export const suites = [] as const
export * from "./loaderConformance.ts"
export * from "./sourceConformance.ts"
export * from "./chunkerConformance.ts"
export * from "./chunkFaults.ts"
export * from "./vectorStoreBadBatches.ts"
export * from "./vectorStoreConformance.ts"
export * from "./vectorStoreFilterMatrix.ts"
export * from "./vectorStoreRows.ts"
export * from "./rerankerConformance.ts"
