import { Effect, Schema } from "effect"
import type { BindingChoice } from "./local/binding/loadBinding.ts"

const bindings = ["auto", "addon", "faiss-node", "exact"] as const satisfies ReadonlyArray<BindingChoice>

const count = (least: number, most: number, usual: number, description: string) =>
  Schema.Int.check(Schema.isBetween({ minimum: least, maximum: most }))
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(usual)))
    .annotate({ description })

/** Options of the vector store `faiss` in the YAML file. */
export const FaissOptions = Schema.Struct({
  binding: Schema.Literals(bindings)
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
export type FaissOptions = typeof FaissOptions.Type
