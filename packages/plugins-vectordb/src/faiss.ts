import { definePlugin } from "@omnirag/core/plugin"
import { FaissOptions } from "./FaissOptions.ts"

/** FAISS inner-product index in a worker thread, in files below the data folder. */
export const faiss = definePlugin({
  kind: "vectorStore",
  name: "faiss",
  description: "FAISS in this process, in files; nothing else to run",
  options: FaissOptions,
  load: () => import("./faissStore.ts").then(({ faissStore }) => faissStore)
})
