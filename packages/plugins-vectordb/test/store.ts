import { Effect, Layer } from "effect"
import { DataFolder, type VectorStore, VectorStoreProvider } from "@omnirag/core/plugin"
import type { GraphOptions } from "../src/local/binding/FaissBinding.ts"
import type { BindingChoice } from "../src/local/binding/loadBinding.ts"
import { localVectorStore } from "../src/local/LocalVectorStore.ts"
import { bindings } from "./bindings.ts"

/** The best binding that is here: files are the same for all. */
const best = bindings.find((one) => one.binding === "addon")?.skip === undefined ? "addon" : "exact"

/** A generation whose files are in the folder a test names. */
export const generation = { index: "test", id: "g-1" }
/** Spelled out: the files of an index that was made before are found by this name. */
export const collection = "omnirag-test-g-1"

/** Every generation in this one folder. */
export const inFolder = (folder: string): Layer.Layer<DataFolder> =>
  Layer.succeed(DataFolder, { path: folder, of: () => folder })

/** A graph that is searched however few rows there are. */
export const smallGraph = { m: 8, efConstruction: 40, efSearch: 64, searchCost: 0 } as const

interface Options {
  readonly dimensions?: number
  readonly binding?: BindingChoice
  readonly graph?: GraphOptions
}

/** Opens the collection in `folder`, of 4 dimensions, for the time of `body`. */
export const session = <A, E>(
  folder: string,
  body: (store: VectorStore) => Effect.Effect<A, E>,
  { binding = best, dimensions = 4, graph }: Options = {}
) =>
  Effect.scoped(
    VectorStoreProvider.pipe(
      Effect.flatMap((provider) => provider.open({ generation, dimensions })),
      Effect.flatMap(body)
    )
  ).pipe(
    Effect.provide(
      localVectorStore({ name: "local", index: { binding, graph } }).pipe(Layer.provide(inFolder(folder)))
    )
  )
