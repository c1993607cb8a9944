import { vectorStoreConformance } from "@omnirag/core/testing"
import { localVectorStore } from "../src/local/LocalVectorStore.ts"
import { bindings } from "./bindings.ts"

// The suite asks for exact results, so the graph keeps as many candidates as there are rows; it is searched however few
// rows there are. How much a usual efSearch finds is tested in hnsw.test.ts.
const graph = { m: 32, efConstruction: 64, efSearch: 10_000, searchCost: 0 }

vectorStoreConformance("hnsw", {
  layer: localVectorStore({ name: "hnsw", index: { binding: "addon", graph } }),
  recall: 1,
  persistent: true,
  skip: bindings.find((one) => one.binding === "addon")?.skip
})
