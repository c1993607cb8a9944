import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import type { FaissBinding, FlatIndex } from "./FaissBinding.ts"

/** What native/addon.cc exports. */
interface Addon {
  readonly FlatIndex: new (dimensions: number) => FlatIndex
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
    description: `libfaiss ${addon.faissVersion}, ${addon.kernel} scan kernel`,
    open: (dimensions) => new addon.FlatIndex(dimensions)
  }
}
