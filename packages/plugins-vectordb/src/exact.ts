import { Schema } from "effect"
import { definePlugin } from "@omnirag/core"
import { localVectorStore } from "./local/LocalVectorStore.ts"

/** The same store without native code. */
export const exact = definePlugin({
  kind: "vectorStore",
  name: "exact",
  description: "Exact search in plain TypeScript, in files; no native code",
  options: Schema.Struct({}),
  layer: () => localVectorStore({ name: "exact", binding: "exact" })
})
