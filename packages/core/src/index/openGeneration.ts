import { Effect, Option } from "effect"
import { EmbeddingError, IndexCorrupt, ModelChanged } from "../domain/errors.ts"
import { chunkAnalysis } from "../language/ChunkAnalysis.ts"
import type { PluginSelection } from "../plugin/PluginSelection.ts"
import type { Artifacts } from "../ports/ArtifactStore.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import type { GenerationRef } from "../ports/GenerationRef.ts"
import type { VectorStore } from "../ports/VectorStoreProvider.ts"
import { countOf } from "./compareStore.ts"
import { countDocuments } from "./indexCounts.ts"
import { nameOf } from "./nameOf.ts"
import { getFact, getSelection } from "./facts.ts"
import type { Generation, VectorIndex } from "./Generation.ts"
import type { IndexParts } from "./IndexParts.ts"
import { chooseLexical } from "./chooseLexical.ts"

const openProvider = ({ embedders }: IndexParts["Service"], selection: PluginSelection) =>
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
  parts: IndexParts["Service"],
  ref: GenerationRef,
  catalog: Catalog,
  artifacts: Artifacts,
  selection: PluginSelection
) {
  const indexed = yield* getFact(catalog, "embedder")
  const provider = yield* openProvider(parts, selection)
  const loaded = yield* provider.load(artifacts).pipe(
    Effect.map((embedder) => ({ embedder: Option.getOrNull(embedder), fault: null })),
    Effect.catchTag(["IndexCorrupt", "EmbeddingError"], (fault) => Effect.succeed({ embedder: null, fault }))
  )
  const { embedder } = loaded
  if (embedder === null) {
    // an embedder that was fitted once and is gone is a loss, not a beginning
    const lost = loaded.fault === null && indexed !== null && indexed !== ""
    const fault = lost
      ? new IndexCorrupt({
          file: `${ref.id}/embedder`,
          reason: "what the embedder learned from the corpus is missing, or has another format",
          remedy: "index"
        })
      : loaded.fault
    return { provider, vectors: null, fault }
  }
  if (indexed !== null && indexed !== "" && indexed !== embedder.fingerprint) {
    const fault = new ModelChanged({ indexed, configured: embedder.fingerprint })
    return { provider, vectors: null, fault }
  }
  return yield* Effect.gen(function* () {
    const store = yield* parts.stores.open({ generation: ref, dimensions: embedder.dimensions })
    if (parts.checkVectorCount && indexed === embedder.fingerprint) yield* checkCount(ref.id, catalog, store)
    return {
      provider,
      vectors: { embedder, store, words: parts.lexicalFrom === "vectorStore" } satisfies VectorIndex,
      fault: null
    }
  }).pipe(Effect.catchTag("IndexCorrupt", (fault) => Effect.succeed({ provider, vectors: null, fault })))
})

/** A store that has lost all its vectors would answer with nothing and say nothing. */
const checkCount = Effect.fnUntraced(function* (id: string, catalog: Catalog, store: VectorStore) {
  if ((yield* catalog.chunks.isEmpty) || (yield* catalog.outbox.count) > 0) return
  const vectors = yield* countOf(store)
  if (vectors === 0) {
    return yield* new IndexCorrupt({
      file: `the vectors of ${id}`,
      reason: `they are gone from the vector store ${store.name}`,
      remedy: "index"
    })
  }
  if (store.capabilities.counting !== "exact") return
  const { chunks } = yield* countDocuments(catalog)
  if (vectors !== chunks) {
    yield* Effect.logWarning(
      `${id}: the vector store ${store.name} counts ${vectors} vectors for ${chunks} chunks; the next run repairs that`
    )
  }
})

/** Opens a generation that is there; a catalog that is not its own, or was lost, is `IndexCorrupt`. */
export const openGeneration = Effect.fn("openGeneration")(function* (
  parts: IndexParts["Service"],
  id: string
) {
  const { artifacts, catalogs, embedders, registry } = parts
  if (!(yield* registry.list).includes(id)) {
    return yield* new IndexCorrupt({
      file: `the generation ${id}`,
      reason: "it is the live one, and is not there",
      remedy: "rebuild"
    })
  }
  const ref = { index: yield* registry.index, id }
  const catalog = yield* catalogs.open(ref, { analysis: chunkAnalysis })
  const written = yield* getFact(catalog, "id")
  if (written !== nameOf(ref)) {
    return yield* new IndexCorrupt({
      file: `the catalog of ${id}`,
      reason: written === null ? "it is gone, or was emptied" : `it is that of ${written}`,
      remedy: "rebuild"
    })
  }
  const selection = Option.getOrElse(yield* getSelection(catalog), () => embedders.configured)
  // read before the store is opened: what another process writes in between is seen as a change
  const stamp = yield* getFact(catalog, "stamp")
  const own = artifacts.of(ref)
  const { provider, vectors, fault } = yield* openVectors(parts, ref, catalog, own, selection)
  return {
    id,
    ref,
    catalog,
    lexical: yield* chooseLexical(parts.lexicalFrom, catalog, vectors),
    artifacts: own,
    embedderProvider: provider,
    selection,
    vectors,
    stamp,
    fault
  } satisfies Generation
})
