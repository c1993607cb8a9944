import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import type { FaissBinding, GraphIndex } from "./FaissBinding.ts"

/** What native/addon.cc exports. */
interface Addon {
  /** Without the last four the index is flat, and its methods for the graph throw. */
  readonly FlatIndex: new (
    dimensions: number,
    m?: number,
    efConstruction?: number,
    efSearch?: number,
    searchCost?: number
  ) => GraphIndex
  readonly kernel: string
  readonly faissVersion: string
}

const isAddon = (value: unknown): value is Addon =>
  typeof value === "object" && value !== null && "FlatIndex" in value && "kernel" in value

const file = fileURLToPath(new URL("../../../build/faiss.node", import.meta.url))

/** Loads the addon that scripts/install-faiss.mjs compiled. Throws when it is not there or does not load. */
export const loadAddonBinding = (): FaissBinding => {
  const addon: unknown = createRequire(import.meta.url)(file)
  if (!isAddon(addon)) throw new Error("build/faiss.node is not the addon of this package")
  return {
    name: "addon",
    description: `addon (libfaiss ${addon.faissVersion}, ${addon.kernel})`,
    open: (dimensions) => new addon.FlatIndex(dimensions),
    openGraph: (dimensions, { efConstruction, efSearch, m, searchCost }) =>
      new addon.FlatIndex(dimensions, m, efConstruction, efSearch, searchCost)
  }
}
