import { Effect, Stream } from "effect"
import type { CatalogError, EmbeddingError } from "../domain/errors.ts"
import type { CachedVector, Catalog } from "../ports/CatalogProvider.ts"
import type { Embedder } from "../ports/EmbedderProvider.ts"
import { batchTexts, embedBatch, type TextToEmbed } from "./embedTexts.ts"
import type { PreparedDocument } from "./prepareDocument.ts"
import type { RunState } from "./RunState.ts"

/** A document with the vectors its transaction has to bring; those in the cache already are not repeated. */
export interface EmbeddedDocument {
  readonly prepared: PreparedDocument
  readonly vectors: ReadonlyArray<CachedVector>
}

interface PendingDocument {
  readonly prepared: PreparedDocument
  readonly missing: ReadonlyArray<TextToEmbed>
}

/** After so many failures in a row that a retry might heal, the embedder counts as down for the rest of the run. */
const givingUpAfter = 5

/** Finds which texts of a document have no vector yet. */
const findMissing = Effect.fnUntraced(function* (
  catalog: Catalog,
  embedder: Embedder,
  state: RunState,
  prepared: PreparedDocument
): Effect.fn.Return<PendingDocument, CatalogError> {
  const cached = yield* catalog.cachedVectors(embedder.fingerprint, "document", prepared.hashes)
  const missing = new Map<string, TextToEmbed>()
  prepared.chunks.forEach((chunk, index) => {
    const hash = prepared.hashes[index]
    if (hash === undefined) return
    if (cached.has(hash) || missing.has(hash)) state.count("embeddingsCached")
    else missing.set(hash, { hash, text: chunk.text })
  })
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

/**
 * Embeds what is missing, several documents in one call, and passes the documents on in their order. A document whose
 * texts cannot be embedded is reported and left out, so that its old version stays; the others of its group are not
 * affected.
 */
export const embedDocuments =
  (catalog: Catalog, embedder: Embedder, state: RunState) =>
  <E>(documents: Stream.Stream<PreparedDocument, E>): Stream.Stream<EmbeddedDocument, E | CatalogError> => {
    let failuresInARow = 0

    const embed = Effect.fnUntraced(function* (
      texts: ReadonlyArray<TextToEmbed>
    ): Effect.fn.Return<ReadonlyMap<string, CachedVector>, EmbeddingError> {
      const results = yield* Effect.forEach(
        batchTexts(texts, embedder.batchSize),
        (batch) =>
          Effect.tap(embedBatch(embedder, batch), (result) =>
            Effect.sync(() => {
              state.count("embedded", batch.length)
              state.count("embeddingCalls")
              result.warnings.forEach((warning) => state.warn(warning))
            })
          ),
        { concurrency: embedder.concurrency }
      )
      failuresInARow = 0
      return new Map(results.flatMap((result) => result.vectors).map((vector) => [vector.textHash, vector]))
    })

    const withVectors = (
      pending: PendingDocument,
      vectors: ReadonlyMap<string, CachedVector>
    ): EmbeddedDocument => ({
      prepared: pending.prepared,
      vectors: pending.missing.flatMap(({ hash }) => {
        const vector = vectors.get(hash)
        return vector === undefined ? [] : [vector]
      })
    })

    const report = (pending: PendingDocument, error: EmbeddingError) => {
      failuresInARow = error.retryable ? failuresInARow + 1 : failuresInARow
      state.fail({
        documentId: pending.prepared.document.id,
        stage: "embed",
        code: error.code,
        message: error.message
      })
      return []
    }

    const embedOne = (pending: PendingDocument, lastError: EmbeddingError) =>
      failuresInARow >= givingUpAfter
        ? Effect.sync(() => report(pending, lastError))
        : embed(pending.missing).pipe(
            Effect.match({
              onFailure: (error): ReadonlyArray<EmbeddedDocument> => report(pending, error),
              onSuccess: (vectors) => [withVectors(pending, vectors)]
            })
          )

    const embedGroup = (pendings: ReadonlyArray<PendingDocument>) => {
      const texts = new Map(pendings.flatMap((pending) => pending.missing).map((item) => [item.hash, item]))
      return embed([...texts.values()]).pipe(
        Effect.map((vectors) => pendings.map((pending) => withVectors(pending, vectors))),
        // one bad text fails its whole call: find out whose it is
        Effect.catchTag("EmbeddingError", (error) =>
          pendings.length === 1 && pendings[0] !== undefined
            ? Effect.sync(() => report(pendings[0] as PendingDocument, error))
            : Effect.map(
                Effect.forEach(pendings, (pending) => embedOne(pending, error)),
                (parts): ReadonlyArray<EmbeddedDocument> => parts.flat()
              )
        ),
        Effect.tap(() => state.publish("embed", null))
      )
    }

    return documents.pipe(
      Stream.mapEffect((prepared) => findMissing(catalog, embedder, state, prepared)),
      group(embedder.batchSize),
      Stream.mapEffect(embedGroup, { concurrency: embedder.concurrency }),
      Stream.flatMap((embedded) => Stream.fromIterable(embedded))
    )
  }
