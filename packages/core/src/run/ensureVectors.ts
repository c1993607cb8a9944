import { countDocuments } from "../index/indexCounts.ts"
import { Clock, Effect, Stream } from "effect"
import { textHash } from "../domain/Chunk.ts"
import type { CatalogError, IndexError } from "../domain/errors.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import type { Embedder } from "../ports/EmbedderProvider.ts"
import { batchTexts, embedBatch } from "./embedTexts.ts"
import { setFact, setSelection } from "../index/facts.ts"
import type { Generation, VectorIndex } from "../index/Generation.ts"
import type { GenerationBuilder } from "../index/GenerationBuilder.ts"
import { releaseChunks } from "../index/releaseMemory.ts"
import type { RunState } from "./RunState.ts"

/** Chunks looked at together: bounds the memory whatever the size of the index. */
const pageSize = 2_048

/** Embeds every chunk of the catalog that has no vector yet into the cache. */
const embedCatalog = (catalog: Catalog, embedder: Embedder, state: RunState) =>
  catalog.chunks.texts.pipe(
    Stream.map(({ chunkId, text }) => ({ hash: textHash(text), text, chunkId })),
    Stream.grouped(pageSize),
    Stream.runForEach(
      Effect.fnUntraced(function* (page) {
        const cached = yield* catalog.cache.get(
          embedder.fingerprint,
          "document",
          page.map((item) => item.hash)
        )
        const missing = new Map(
          page.filter((item) => !cached.has(item.hash)).map((item) => [item.hash, item])
        )
        state.count("embeddingsCached", page.length - missing.size)
        state.finished(page.length - missing.size)
        yield* Effect.forEach(
          batchTexts([...missing.values()], embedder.batchSize),
          Effect.fnUntraced(function* (batch) {
            const { vectors, warnings } = yield* embedBatch(embedder, batch)
            yield* catalog.cache.put(embedder.fingerprint, "document", vectors)
            state.count("embedded", batch.length)
            state.finished(batch.length)
            state.count("embeddingCalls")
            const records = yield* catalog.chunks.getMany(warnings.map(({ item }) => item.chunkId))
            warnings.forEach(({ item, message }) => {
              const record = records.find(({ chunk }) => chunk.id === item.chunkId)
              state.warn(`${record?.chunk.documentId ?? item.chunkId}: ${message}`)
            })
            yield* state.publish("embed", null)
          }),
          { concurrency: embedder.concurrency, discard: true }
        )
      })
    )
  )

/** Writes down which embedder the vectors of a generation are of: from now on every chunk has one. */
export const setEmbedder = Effect.fnUntraced(function* (
  { catalog, selection }: Generation,
  { embedder }: VectorIndex
): Effect.fn.Return<void, CatalogError> {
  yield* setFact(catalog, "dimensions", String(embedder.dimensions))
  yield* setSelection(catalog, selection)
  yield* setFact(catalog, "embedder", embedder.fingerprint)
})

/**
 * Gives a generation its vectors: fits the embedder on the catalog where it learns from the corpus and has not yet,
 * embeds every chunk without a vector, and queues all of them for the store. Facts about the embedder are written last:
 * until then the generation counts as one without vectors.
 */
export const ensureVectors = Effect.fn("ensureVectors")(function* (
  builder: GenerationBuilder["Service"],
  generation: Generation,
  state: RunState
): Effect.fn.Return<void, IndexError> {
  const { catalog, embedderProvider, id } = generation
  const { chunks } = yield* countDocuments(catalog)
  if (chunks === 0) return
  yield* releaseChunks(chunks)
  if (generation.vectors === null && embedderProvider.fit !== undefined) {
    yield* state.publish("fit", null)
    yield* embedderProvider.fit(
      catalog.chunks.texts.pipe(
        Stream.map(({ text }) => text),
        // all texts are with the embedder, which now computes with what memory there is
        Stream.concat(Stream.fromEffectDrain(releaseChunks(chunks)))
      ),
      generation.artifacts
    )
    yield* builder.reopen(id)
    yield* releaseChunks(chunks)
  }
  yield* Effect.scoped(
    Effect.gen(function* () {
      const { vectors, fault } = yield* builder.open(id)
      if (vectors === null) {
        if (fault !== null) return yield* fault
        return yield* Effect.die(new Error("the embedder is not there after its fit"))
      }
      state.beginWork(chunks, yield* Clock.currentTimeMillis)
      yield* embedCatalog(catalog, vectors.embedder, state)
      yield* releaseChunks(chunks)
      yield* catalog.outbox.enqueueAll
      yield* setFact(catalog, "fittedChunks", String(chunks))
      yield* setEmbedder(generation, vectors)
    })
  )
})
