import { definePlugin } from "@omnirag/core/plugin"
import { LsaOptions } from "./LsaOptions.ts"

/** The embedder `lsa`: latent semantic analysis of the corpus itself. No download, no server, no graphics card. */
export const lsaEmbedder = definePlugin({
  kind: "embedder",
  name: "lsa",
  description:
    "Learns the meaning of words from the indexed corpus (latent semantic analysis); needs no model",
  options: LsaOptions,
  load: () => import("./lsaLayer.ts").then(({ lsaLayer }) => lsaLayer)
})
