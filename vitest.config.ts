import { defineConfig } from "vitest/config"

// graphql 17 has a "development" export condition. Vite turns it on for workspace sources while
// Node does not for node_modules: two copies of graphql, and `instanceof GraphQLError` is false.
const conditions = ["module-sync", "node"]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "tests/**/*.test.ts"],
    // the native FAISS addon may be loaded in one thread of a process only
    pool: "forks",
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})
