import { Effect, Result, Stream } from "effect"
import type { CatalogError, EmbeddingError } from "../domain/errors.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import type { CachedVector } from "../ports/catalog/VectorCache.ts"
import type { Embedder } from "../ports/EmbedderProvider.ts"
import { EmbedderHealth } from "./EmbedderHealth.ts"
import { batchTexts, embedBatch, type TextToEmbed } from "./embedTexts.ts"
import type { PreparedDocument } from "./prepareDocument.ts"
import type { RunState } from "./RunState.ts"

/** A document with the vectors its transaction has to bring; those in the cache already are not repeated. */
export interface EmbeddedDocument {
  readonly prepared: PreparedDocument
  readonly vectors: ReadonlyArray<CachedVector>
}

/** A text, with the first document it was found in. */
interface DocumentText extends TextToEmbed {
  readonly documentId: string
}

interface PendingDocument {
  readonly prepared: PreparedDocument
  readonly missing: ReadonlyArray<DocumentText>
}

/** Texts looked up in the cache at a time. */
const lookupSize = 1_000
/** The vectors of a document with more new texts go into the cache as they come: bounds memory, and survives a crash. */
const cacheAbove = 2_000
/** Groups of documents that wait between two stages. */
const waiting = 2

/** Finds which texts of a document have no vector yet. */
const findMissing = Effect.fnUntraced(function* (
  catalog: Catalog,
  embedder: Embedder,
  state: RunState,
  prepared: PreparedDocument
): Effect.fn.Return<PendingDocument, CatalogError> {
  const documentId = prepared.document.id
  const missing = new Map<string, DocumentText>()
  for (let start = 0; start < prepared.chunks.length; start += lookupSize) {
    const hashes = prepared.hashes.slice(start, start + lookupSize)
    const cached = yield* catalog.cache.get(embedder.fingerprint, "document", hashes)
    hashes.forEach((hash, index) => {
      const chunk = prepared.chunks[start + index]
      if (chunk === undefined) return
      if (cached.has(hash) || missing.has(hash)) state.count("embeddingsCached")
      else missing.set(hash, { hash, text: chunk.text, documentId })
    })
  }
  return { prepared, missing: [...missing.values()] }
})

/** Groups documents until a group fills a call of the embedder; a document is never split over groups. */
const group = (batchSize: number) =>
  Stream.mapAccum(
    (): { readonly documents: ReadonlyArray<PendingDocument>; readonly texts: number } => ({
      documents: [],
      texts: 0
    }),
    (open, next: PendingDocument) => {
      const documents = [...open.documents, next]
      const texts = open.texts + next.missing.length
      return texts >= batchSize || documents.length >= batchSize
        ? ([{ documents: [], texts: 0 }, [documents]] as const)
        : ([{ documents, texts }, []] as const)
    },
    { onHalt: (open) => (open.documents.length === 0 ? [] : [open.documents]) }
  )

/** The texts that got a vector, and why others did not. */
interface Embedded {
  readonly vectors: ReadonlyMap<string, CachedVector | null>
  readonly error: EmbeddingError | null
}

/**
 * Embeds what is missing, several documents in one call, and passes the documents on in their order. A document whose
 * texts cannot be embedded is reported and left out, so that its old version stays; the others of its group are not
 * affected. Loading, embedding and committing overlap, with a few groups between them.
 */
export const embedDocuments =
  (catalog: Catalog, embedder: Embedder, state: RunState) =>
  <E>(documents: Stream.Stream<PreparedDocument, E>): Stream.Stream<EmbeddedDocument, E | CatalogError> => {
    const health = new EmbedderHealth()

    const call = Effect.fnUntraced(function* (batch: ReadonlyArray<DocumentText>) {
      const { down } = health
      if (down !== null) return Result.fail(down)
      state.count("embeddingCalls")
      const result = yield* Effect.result(embedBatch(embedder, batch))
      if (Result.isFailure(result)) {
        health.failed(result.failure)
        return Result.fail(result.failure)
      }
      health.succeeded()
      state.count("embedded", batch.length)
      result.success.warnings.forEach(({ item, message }) => state.warn(`${item.documentId}: ${message}`))
      yield* state.publish("embed", null)
      return Result.succeed(result.success.vectors)
    })

    const embed = Effect.fnUntraced(function* (
      texts: ReadonlyArray<DocumentText>
    ): Effect.fn.Return<Embedded, CatalogError> {
      const vectors = new Map<string, CachedVector | null>()
      let error: EmbeddingError | null = null
      yield* Effect.forEach(
        batchTexts(texts, embedder.batchSize),
        Effect.fnUntraced(function* (batch) {
          const result = yield* call(batch)
          if (Result.isFailure(result)) {
            error ??= result.failure
            return
          }
          const cached = texts.length > cacheAbove
          if (cached) yield* catalog.cache.put(embedder.fingerprint, "document", result.success)
          for (const vector of result.success) vectors.set(vector.textHash, cached ? null : vector)
        }),
        { concurrency: embedder.concurrency, discard: true }
      )
      return { vectors, error }
    })

    /** The document with its vectors, when it has all of them. */
    const finished = (
      { prepared, missing }: PendingDocument,
      vectors: Embedded["vectors"]
    ): EmbeddedDocument | undefined =>
      missing.every(({ hash }) => vectors.has(hash))
        ? { prepared, vectors: missing.flatMap(({ hash }) => vectors.get(hash) ?? []) }
        : undefined

    const report = (
      { missing, prepared }: PendingDocument,
      vectors: Embedded["vectors"],
      { code, message }: EmbeddingError
    ) => {
      state.count("embeddingsFailed", missing.filter(({ hash }) => !vectors.has(hash)).length)
      state.fail({ documentId: prepared.document.id, stage: "embed", code, message })
    }

    /** Tries a document again without those beside it: one bad text fails its whole call. */
    const embedAlone = Effect.fnUntraced(function* (
      pending: PendingDocument,
      before: Embedded["vectors"],
      error: EmbeddingError
    ) {
      const again = yield* embed(pending.missing.filter(({ hash }) => !before.has(hash)))
      const vectors = new Map([...before, ...again.vectors])
      const done = finished(pending, vectors)
      if (done !== undefined) return [done]
      report(pending, vectors, again.error ?? error)
      return []
    })

    const embedGroup = Effect.fnUntraced(function* (pendings: ReadonlyArray<PendingDocument>) {
      const texts = new Map(pendings.flatMap((pending) => pending.missing).map((item) => [item.hash, item]))
      const { vectors, error } = yield* embed([...texts.values()])
      const settled: Array<EmbeddedDocument> = []
      for (const pending of pendings) {
        const done = finished(pending, vectors)
        if (done !== undefined) settled.push(done)
        else if (error === null)
          return yield* Effect.die(new Error("a text got neither a vector nor an error"))
        else if (pendings.length === 1) report(pending, vectors, error)
        else settled.push(...(yield* embedAlone(pending, vectors, error)))
      }
      return settled
    })

    return documents.pipe(
      Stream.mapEffect((prepared) => findMissing(catalog, embedder, state, prepared)),
      group(embedder.batchSize),
      Stream.buffer({ capacity: waiting }),
      Stream.mapEffect(embedGroup, { concurrency: embedder.concurrency }),
      Stream.buffer({ capacity: waiting }),
      Stream.flatMap((embedded) => Stream.fromIterable(embedded))
    )
  }
