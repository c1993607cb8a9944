import { Schema } from "effect"
import { definePlugin } from "@omnirag/core/plugin"
import { checkedVectorStore } from "./local/checkedVectorStore.ts"

/** The same store without native code. */
export const exact = definePlugin({
  kind: "vectorStore",
  name: "exact",
  description: "Exact search in plain TypeScript, in files; no native code",
  options: Schema.Struct({}),
  layer: () => checkedVectorStore({ name: "exact", index: { binding: "exact", graph: undefined } })
})
