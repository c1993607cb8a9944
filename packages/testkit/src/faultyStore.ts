import { builtInPlugins } from "@omnirag/runtime"
import {
  type Catalog,
  CatalogError,
  CatalogProvider,
  definePlugin,
  selectPlugin,
  type VectorStore,
  VectorStoreError,
  VectorStoreProvider
} from "@omnirag/core/app"
import { Effect, Layer, Schema } from "effect"

/** What a test tells a vector store and a catalog to do. */
export interface Faults {
  /** Writes to the store fail. */
  storeDown: boolean
  /** Collections cannot be dropped. */
  dropFails: boolean
  /** Documents whose commit fails. */
  commitFails: (documentId: string) => boolean
}

export const noFaults = (): Faults => ({ storeDown: false, dropFails: false, commitFails: () => false })

/** The store `exact` that fails on demand, by the name `faulty`. */
export const faultyStore = (faults: Faults) =>
  definePlugin({
    kind: "vectorStore",
    name: "faulty",
    description: "Fails on demand; for tests",
    options: Schema.Struct({}),
    layer: () =>
      Layer.effect(
        VectorStoreProvider,
        Effect.map(VectorStoreProvider, (exact) => {
          const down = new VectorStoreError({
            store: "faulty",
            reason: "unavailable",
            message: "told to be down"
          })
          const check = Effect.suspend(() => (faults.storeDown ? Effect.fail(down) : Effect.void))
          const wrap = (store: VectorStore): VectorStore => ({
            ...store,
            upsert: (batch) => Effect.andThen(check, store.upsert(batch)),
            delete: (ids) => Effect.andThen(check, store.delete(ids)),
            flush: Effect.andThen(check, store.flush)
          })
          return {
            name: "faulty",
            open: (spec) => Effect.map(exact.open(spec), wrap),
            drop: (spec) => (faults.dropFails ? Effect.fail(down) : exact.drop(spec))
          }
        })
      ).pipe(
        Layer.provide(selectPlugin("vectorStore", builtInPlugins.vectorStore, { use: "exact", options: {} }))
      )
  })

/** The catalog `sqlite` that fails on demand, by the name `faulty`. */
export const faultyCatalog = (faults: Faults) =>
  definePlugin({
    kind: "catalog",
    name: "faulty",
    description: "Fails on demand; for tests",
    options: Schema.Struct({}),
    layer: () =>
      Layer.effect(
        CatalogProvider,
        Effect.map(CatalogProvider, (sqlite) => {
          const wrap = (catalog: Catalog): Catalog => ({
            ...catalog,
            documents: {
              ...catalog.documents,
              replace: (entry) =>
                faults.commitFails(entry.document.id)
                  ? Effect.fail(new CatalogError({ operation: "replaceDocument", message: "told to fail" }))
                  : catalog.documents.replace(entry)
            }
          })
          return {
            ...sqlite,
            name: "faulty",
            open: (generation, options) => Effect.map(sqlite.open(generation, options), wrap)
          }
        })
      ).pipe(
        Layer.provideMerge(selectPlugin("catalog", builtInPlugins.catalog, { use: "sqlite", options: {} }))
      )
  })
