import { countDocuments } from "../index/indexCounts.ts"
import { Effect, Option, Stream } from "effect"
import type { Document } from "../domain/Document.ts"
import type { CatalogError, IndexError } from "../domain/errors.ts"
import { chunkAnalysis } from "../language/ChunkAnalysis.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import type { ReplaceResult } from "../ports/catalog/DocumentCatalog.ts"
import type { Chunker } from "../ports/Chunker.ts"
import { applyOutbox } from "../index/applyOutbox.ts"
import { type EmbeddedDocument, embedDocuments } from "./embedDocuments.ts"
import { ensureVectors, setEmbedder } from "./ensureVectors.ts"
import { getFact, setFact } from "../index/facts.ts"
import type { Generation, VectorIndex } from "../index/Generation.ts"
import type { GenerationBuilder } from "../index/GenerationBuilder.ts"
import type { PreparedDocument } from "./prepareDocument.ts"
import { releaseDocument } from "../index/releaseMemory.ts"
import { countOf } from "../index/compareStore.ts"
import { reconcileStore } from "../index/reconcileStore.ts"
import type { RunState } from "./RunState.ts"

/** New chunks after which the vector store is brought up to date in mid-run. */
const storeEvery = 4_000
/** Documents removed in one transaction. */
const removalBatch = 200

/** Everything that writes to one generation; each document changes in one transaction of the catalog. */
export interface IndexWriter {
  /** Embeds and commits documents in their order; what fails is reported to the run's state. */
  readonly write: <E>(
    documents: Stream.Stream<PreparedDocument, E>,
    /** Documents that will be removed after this: what only they hold is not repeated. */
    isLeaving?: (documentId: string) => boolean
  ) => Effect.Effect<void, E | IndexError>
  readonly remove: (documentIds: ReadonlyArray<string>) => Effect.Effect<number, IndexError>
  /** Brings vectors and store up to the catalog; returns when all of it is durable. */
  readonly finish: Effect.Effect<void, IndexError>
}

const commitResult = (state: RunState, result: ReplaceResult & { readonly repeated: number }): void => {
  state.count("changed")
  state.count("chunksDeduplicated", result.repeated)
  state.count("chunksNew", result.added)
  state.count("chunksUnchanged", result.unchanged)
  state.count("chunksRemoved", result.removed)
}

/** Queues all chunks again when a word index of the store holds terms of another analysis. Returns for how many chunks. */
const refreshStoreTerms = Effect.fnUntraced(function* (catalog: Catalog, vectors: VectorIndex | null) {
  if (vectors === null || !vectors.words) return 0
  const { version } = chunkAnalysis
  if ((yield* getFact(catalog, "storeTerms")) === version) return 0
  const chunks = yield* catalog.outbox.enqueueAll
  yield* setFact(catalog, "storeTerms", version)
  return chunks
})

/**
 * The title is among the terms of every chunk: where it changes, chunks that stay as they are go to the word index of the
 * store again. Queued before the document is replaced, so that a crash in between loses nothing.
 */
const queueWords = Effect.fnUntraced(function* (catalog: Catalog, { id, title }: Document) {
  const before = yield* catalog.documents.get(id)
  if (Option.isNone(before) || before.value.title === title) return
  const chunks = yield* catalog.chunks.ofDocument(id)
  yield* catalog.outbox.enqueue(chunks.map((chunk) => chunk.id))
})

export const makeIndexWriter = Effect.fn("makeIndexWriter")(function* (
  builder: GenerationBuilder["Service"],
  generation: Generation,
  chunker: Chunker["Service"],
  state: RunState
): Effect.fn.Return<IndexWriter, CatalogError> {
  const { catalog, lexical, vectors } = generation
  let unstored = 0
  let storeFailed = false

  const refreshed = (yield* lexical.refresh) + (yield* refreshStoreTerms(catalog, vectors))
  if (refreshed > 0)
    state.warn(`the lexical terms of ${refreshed} chunks were made again: their analysis changed`)
  if ((yield* getFact(catalog, "chunker")) === null) yield* setFact(catalog, "chunker", chunker.fingerprint)
  // with the first document of an empty index every chunk has its vector; a run that died in between left some without
  if (vectors !== null && (yield* catalog.chunks.isEmpty)) yield* setEmbedder(generation, vectors)
  const complete = vectors !== null && (yield* getFact(catalog, "embedder")) === vectors.embedder.fingerprint

  /** A store that fails keeps its writes in the outbox; the run goes on and ends as partial. */
  const toStore = Effect.fnUntraced(function* (
    write: (index: VectorIndex) => Effect.Effect<void, IndexError>
  ) {
    const { vectors: index } = yield* builder.open(generation.id)
    if (index === null || storeFailed) return
    yield* state.publish("store", null)
    yield* write(index).pipe(
      Effect.catchTag("VectorStoreError", (error) =>
        Effect.sync(() => {
          storeFailed = true
          state.fail({ documentId: "", stage: "store", code: error.code, message: error.message })
        })
      )
    )
  }, Effect.scoped)

  const stamp = builder.stamp(generation)

  /** Applies what is pending. */
  const store = toStore((index) => Effect.asVoid(applyOutbox(catalog, index, stamp)))

  /** A store that holds another number of vectors than there are chunks has drifted: it is compared and repaired. */
  const settle = toStore(
    Effect.fnUntraced(function* (index) {
      if (index.store.capabilities.counting !== "exact" || (yield* catalog.outbox.count) > 0) return
      if ((yield* countOf(index.store)) === (yield* countDocuments(catalog)).chunks) return
      const written = yield* reconcileStore(catalog, index, stamp)
      state.warn(`the vector store had drifted from the catalog; ${written} writes repaired it`)
    })
  )

  const commit = Effect.fnUntraced(function* (
    { prepared, vectors: added }: EmbeddedDocument,
    isLeaving: (documentId: string) => boolean
  ) {
    const { document } = prepared
    yield* state.publish("commit", document.id)
    state.count("chunksTooShort", prepared.tooShort)
    yield* releaseDocument(document.text.length)
    const entry = {
      document,
      file: prepared.file,
      revision: prepared.revision,
      chunks: prepared.chunks,
      vectors: added,
      fingerprint: vectors?.embedder.fingerprint ?? ""
    }
    if (vectors?.words === true) yield* queueWords(catalog, document)
    const result = yield* Effect.result(
      Effect.flatMap(catalog.chunks.countRepeats(entry, isLeaving), (repeated) =>
        Effect.map(catalog.documents.replace(entry), (replaced) => ({ ...replaced, repeated }))
      )
    )
    if (result._tag === "Failure") {
      const { code, message } = result.failure
      state.fail({ documentId: document.id, stage: "commit", code, message })
      return
    }
    commitResult(state, result.success)
    yield* releaseDocument(document.text.length)
    unstored += result.success.added + result.success.removed
    if (vectors !== null && unstored >= storeEvery) {
      unstored = 0
      yield* store
    }
  })

  const write = <E>(
    documents: Stream.Stream<PreparedDocument, E>,
    isLeaving: (documentId: string) => boolean = () => false
  ) => {
    const embedded =
      vectors === null
        ? Stream.map(documents, (prepared): EmbeddedDocument => ({ prepared, vectors: [] }))
        : embedDocuments(catalog, vectors.embedder, state)(documents)
    return Stream.runForEach(embedded, (document) => commit(document, isLeaving))
  }

  const remove = Effect.fnUntraced(function* (documentIds: ReadonlyArray<string>) {
    let removed = 0
    for (let index = 0; index < documentIds.length; index += removalBatch) {
      removed += yield* catalog.documents.remove(documentIds.slice(index, index + removalBatch))
    }
    state.count("removed", removed)
    return removed
  })

  const finish = Effect.gen(function* () {
    if (!complete) yield* ensureVectors(builder, generation, state)
    yield* store
    yield* settle
    // vectors of what failed to be committed wait for the next run
    if (!state.failed) yield* catalog.cache.prune
  })

  return { write, remove, finish }
})
