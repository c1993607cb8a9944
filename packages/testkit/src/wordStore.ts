import {
  collectionName,
  definePlugin,
  type VectorBatch,
  type VectorStore,
  VectorStoreError,
  VectorStoreProvider
} from "@omnirag/core/plugin"
import { limitedStore } from "@omnirag/core/testing"
import { Effect, Layer, Schema } from "effect"
import { lexicalOf, WordIndex } from "./WordIndex.ts"

const name = "words"

/** Writes the words of a batch; a row without terms is a fault of the caller. */
const setWords = (index: WordIndex, { fields, ids, terms }: VectorBatch) =>
  Effect.forEach(
    ids,
    Effect.fnUntraced(function* (id, row) {
      const known = fields[row]
      const words = terms?.[row]
      if (known === undefined || words === undefined)
        return yield* new VectorStoreError({ store: name, reason: "count", message: `${id} has no terms` })
      index.set(id, known, words)
    }),
    { discard: true }
  )

const withWords = (store: VectorStore, index: WordIndex): VectorStore => ({
  ...store,
  name,
  upsert: (batch) => Effect.andThen(setWords(index, batch), store.upsert(batch)),
  delete: (ids) => Effect.andThen(store.delete(ids), () => Effect.sync(() => index.delete(ids))),
  deleteWhere: (where) =>
    Effect.andThen(store.deleteWhere(where), () => Effect.sync(() => index.deleteWhere(where))),
  lexical: lexicalOf(index)
})

/**
 * A vector store with a word index of its own, by the name `words`: vectors and words in memory as long as the layer
 * lives. `indexes` gets the word index of each collection, for a test to look into.
 */
export const wordStore = (indexes: Map<string, WordIndex> = new Map()) =>
  definePlugin({
    kind: "vectorStore",
    name,
    description: "Keeps vectors and words in memory; for tests",
    options: Schema.Struct({}),
    layer: () =>
      Layer.effect(
        VectorStoreProvider,
        Effect.map(VectorStoreProvider, (limited) => ({
          name,
          hasLexical: true,
          open: (spec) =>
            Effect.map(limited.open(spec), (store) => {
              const collection = collectionName(spec.generation)
              const index = indexes.get(collection) ?? new WordIndex()
              indexes.set(collection, index)
              return withWords(store, index)
            }),
          drop: (generation) =>
            Effect.andThen(limited.drop(generation), () =>
              Effect.sync(() => void indexes.delete(collectionName(generation)))
            )
        }))
      ).pipe(Layer.provide(limitedStore()))
  })
