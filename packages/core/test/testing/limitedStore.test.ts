import { limitedStore, vectorStoreConformance } from "@omnirag/core/testing"

// the suite goes by what a store declares: each kind of declaration is declared by one of these
vectorStoreConformance("limited", { layer: limitedStore(), persistent: true })

vectorStoreConformance("limited, sorted, approximate", {
  layer: limitedStore({ listing: "sorted", search: "approximate" }),
  persistent: true,
  rows: 1000
})

vectorStoreConformance("limited, eventual, without lists and counts", {
  layer: limitedStore({ listing: "none", counting: "estimate", consistency: "eventual" }),
  persistent: true,
  rows: 1000
})
