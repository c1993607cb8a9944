import { Effect, Schema } from "effect"
import { definePlugin } from "@omnirag/core"
import { bindingChoices } from "./local/binding/loadBinding.ts"
import { localVectorStore } from "./local/LocalVectorStore.ts"

const Options = Schema.Struct({
  binding: Schema.Literals(bindingChoices)
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed("auto" as const)))
    .annotate({
      description:
        "addon: compiled over libfaiss at install; faiss-node: the npm package; exact: plain TypeScript; auto: the first of these that loads"
    })
})

/** FAISS flat inner-product index in a worker thread, in files below the data folder. */
export const faiss = definePlugin({
  kind: "vectorStore",
  name: "faiss",
  description: "FAISS in this process, in files; nothing else to run",
  options: Options,
  layer: ({ binding }) => localVectorStore({ name: "faiss", binding })
})
