import { vectorStoreConformance } from "@omnirag/core/testing"
import { localVectorStore } from "../src/local/LocalVectorStore.ts"
import { bindings } from "./bindings.ts"

const binding = "faiss-node"

vectorStoreConformance(binding, {
  layer: localVectorStore({ name: binding, index: { binding, graph: undefined } }),
  persistent: true,
  skip: bindings.find((one) => one.binding === binding)?.skip
})
