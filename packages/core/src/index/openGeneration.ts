import { Effect, Option } from "effect"
import type { PluginSelection } from "../plugin/PluginSelection.ts"
import { EmbeddingError, IndexCorrupt, ModelChanged } from "../domain/errors.ts"
import type { Catalog, CatalogProvider } from "../ports/CatalogProvider.ts"
import type { VectorStore, VectorStoreProvider } from "../ports/VectorStoreProvider.ts"
import type { Embedders } from "./Embedders.ts"
import { type Generation, getFact, getSelection, type VectorIndex } from "./Generation.ts"
import { type GenerationFiles, rebuildHint } from "./generationFiles.ts"
import { countOf } from "./reconcileStore.ts"

/** The parts a generation is opened with. */
export interface GenerationParts {
  readonly files: GenerationFiles
  readonly catalogs: CatalogProvider["Service"]
  readonly stores: VectorStoreProvider["Service"]
  readonly embedders: Embedders["Service"]
}

/** Where the vectors of a generation are. */
export const collectionOf = (files: GenerationFiles, id: string, dimensions: number) => ({
  collection: `omnirag-${files.identity}-${id}`,
  folder: files.folderOf(id),
  dimensions
})

const openProvider = ({ embedders }: GenerationParts, selection: PluginSelection) =>
  embedders.provider(selection).pipe(
    Effect.mapError(
      (error) =>
        new EmbeddingError({
          embedder: selection.use,
          message: error.message,
          retryable: false,
          cause: error
        })
    )
  )

/** The vectors with their embedder; what keeps them from being used becomes the fault of the generation. */
const openVectors = Effect.fnUntraced(function* (
  parts: GenerationParts,
  id: string,
  catalog: Catalog,
  selection: PluginSelection
) {
  const indexed = yield* getFact(catalog, "embedder")
  const { files, stores } = parts
  const provider = yield* openProvider(parts, selection)
  const loaded = yield* provider.load(`${files.folderOf(id)}/embedder`).pipe(
    Effect.map((embedder) => ({ embedder: Option.getOrNull(embedder), fault: null })),
    Effect.catchTag(["IndexCorrupt", "EmbeddingError"], (fault) => Effect.succeed({ embedder: null, fault }))
  )
  const { embedder } = loaded
  if (embedder === null) {
    // an embedder that was fitted once and is gone is a loss, not a beginning
    const lost = loaded.fault === null && indexed !== null && indexed !== ""
    const fault = lost
      ? new IndexCorrupt({
          file: `${id}/embedder`,
          reason: "what the embedder learned from the corpus is missing, or has another format",
          repair: "Run `omnirag index` to learn it anew"
        })
      : loaded.fault
    return { provider, vectors: null, fault }
  }
  if (indexed !== null && indexed !== "" && indexed !== embedder.fingerprint) {
    const fault = new ModelChanged({ indexed, configured: embedder.fingerprint })
    return { provider, vectors: null, fault }
  }
  return yield* Effect.gen(function* () {
    const store = yield* stores.open(collectionOf(files, id, embedder.dimensions))
    if (indexed === embedder.fingerprint) yield* checkCount(id, catalog, store)
    return { provider, vectors: { embedder, store } satisfies VectorIndex, fault: null }
  }).pipe(Effect.catchTag("IndexCorrupt", (fault) => Effect.succeed({ provider, vectors: null, fault })))
})

/** A store that has lost all its vectors would answer with nothing and say nothing. */
const checkCount = Effect.fnUntraced(function* (id: string, catalog: Catalog, store: VectorStore) {
  const { chunks, outbox } = yield* catalog.counts
  if (chunks === 0 || outbox > 0) return
  const vectors = yield* countOf(store)
  if (vectors === 0) {
    return yield* new IndexCorrupt({
      file: `the vectors of ${id}`,
      reason: `they are gone from the vector store ${store.name}`,
      repair: "Run `omnirag index` to write them anew from the catalog"
    })
  }
  if (vectors !== chunks) {
    yield* Effect.logWarning(
      `${id}: the vector store ${store.name} counts ${vectors} vectors for ${chunks} chunks; the next run mends that`
    )
  }
})

/** Opens a generation that is there; a catalog that is not its own, or was lost, is `IndexCorrupt`. */
export const openGeneration = Effect.fn("openGeneration")(function* (parts: GenerationParts, id: string) {
  const { catalogs, embedders, files } = parts
  if (!(yield* files.exists(id))) {
    return yield* new IndexCorrupt({
      file: "CURRENT",
      reason: `it names ${id}, which is not there`,
      repair: rebuildHint
    })
  }
  const folder = files.folderOf(id)
  const catalog = yield* catalogs.open(folder)
  const written = yield* getFact(catalog, "id")
  if (written !== files.nameOf(id)) {
    return yield* new IndexCorrupt({
      file: `the catalog of ${id}`,
      reason: written === null ? "it is gone, or was emptied" : `it is that of ${written}`,
      repair: rebuildHint
    })
  }
  const selection = Option.getOrElse(yield* getSelection(catalog), () => embedders.configured)
  // read before the store is opened: what another process writes in between is seen as a change
  const stamp = yield* getFact(catalog, "stamp")
  const { provider, vectors, fault } = yield* openVectors(parts, id, catalog, selection)
  return {
    id,
    folder,
    catalog,
    embedderProvider: provider,
    selection,
    vectors,
    stamp,
    fault
  } satisfies Generation
})
