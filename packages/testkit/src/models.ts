import { fileURLToPath } from "node:url"

/** Where scripts/fetch-models.sh puts real models. */
export const models =
  process.env["OMNIRAG_MODELS"] ?? fileURLToPath(new URL("../../../.models", import.meta.url))
