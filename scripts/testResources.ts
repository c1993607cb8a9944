import { existsSync, readdirSync } from "node:fs"

/**
 * Prints what tests use that is in no commit: nx counts it among the inputs of a test, so that a result with a native
 * binding, a model or a corpus is not taken for one without. Paths are below the root of the repository.
 */
const folders = [
  "packages/plugins-vectordb/build",
  "node_modules/faiss-node/build/Release",
  process.env["OMNIRAG_MODELS"] ?? ".models",
  process.env["OMNIRAG_TEST_DATA"] ?? "../shared/data"
]

console.log(process.version, process.platform, process.arch)
for (const folder of folders) {
  console.log(folder, existsSync(folder) ? readdirSync(folder).toSorted().join(" ") : "(none)")
}
