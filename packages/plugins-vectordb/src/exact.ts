import { Schema } from "effect"
import { definePlugin } from "@omnirag/core/plugin"

/** The same store without native code. */
export const exact = definePlugin({
  kind: "vectorStore",
  name: "exact",
  description: "Exact search in plain TypeScript, in files; no native code",
  options: Schema.Struct({}),
  load: () =>
    import("./local/checkedVectorStore.ts").then(
      ({ checkedVectorStore }) =>
        () =>
          checkedVectorStore({ name: "exact", index: { binding: "exact", graph: undefined } })
    )
})
