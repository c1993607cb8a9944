import { vectorStoreConformance } from "@omnirag/core/testing"
import { localVectorStore } from "../src/local/LocalVectorStore.ts"
import { bindings } from "./bindings.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const binding = "exact"

vectorStoreConformance(binding, {
  layer: localVectorStore({ name: binding, index: { binding, graph: undefined } }),
  folder: temporaryFolder(),
  persistent: true,
  skip: bindings.find((one) => one.binding === binding)?.skip
})
