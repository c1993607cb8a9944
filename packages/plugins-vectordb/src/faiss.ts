import { Effect, Layer, Schema } from "effect"
import {
  type DataFolder,
  definePlugin,
  type HealthChecks,
  PluginError,
  VectorStoreProvider
} from "@omnirag/core/plugin"
import { bindingChoices } from "./local/binding/loadBinding.ts"
import { checkedVectorStore } from "./local/checkedVectorStore.ts"

const count = (least: number, most: number, usual: number, description: string) =>
  Schema.Int.check(Schema.isBetween({ minimum: least, maximum: most }))
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(usual)))
    .annotate({ description })

const Options = Schema.Struct({
  binding: Schema.Literals(bindingChoices)
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed("auto" as const)))
    .annotate({
      description:
        "addon: compiled over libfaiss at install; faiss-node: the npm package; exact: plain TypeScript; auto: the first of these that loads"
    }),
  index: Schema.Literals(["flat", "hnsw"])
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed("flat" as const)))
    .annotate({
      description:
        "flat: exact, reads every row; hnsw: a graph for several hundred thousand chunks, finds most of the best rows, needs the addon; filtered queries are exact with both"
    }),
  m: count(4, 128, 32, "hnsw: links of a row; more find more and take more memory"),
  efConstruction: count(
    8,
    1000,
    40,
    "hnsw: candidates kept while a row is linked; more find more and build longer"
  ),
  efSearch: count(8, 10_000, 128, "hnsw: candidates kept while a query looks; more find more and take longer")
})

/** FAISS inner-product index in a worker thread, in files below the data folder. */
export const faiss = definePlugin({
  kind: "vectorStore",
  name: "faiss",
  description: "FAISS in this process, in files; nothing else to run",
  options: Options,
  layer: ({
    binding,
    efConstruction,
    efSearch,
    index,
    m
  }): Layer.Layer<VectorStoreProvider, PluginError, DataFolder | HealthChecks> => {
    if (index === "flat") return checkedVectorStore({ name: "faiss", index: { binding, graph: undefined } })
    if (binding === "exact" || binding === "faiss-node")
      return Layer.effect(
        VectorStoreProvider,
        Effect.fail(
          new PluginError({
            kind: "vectorStore",
            name: "faiss",
            message: `options.index: hnsw needs binding: addon (or auto), not ${binding}`
          })
        )
      )
    // a search reads about m links of each candidate
    const graph = { m, efConstruction, efSearch, searchCost: efSearch * m }
    return checkedVectorStore({ name: "faiss", index: { binding, graph } })
  }
})
