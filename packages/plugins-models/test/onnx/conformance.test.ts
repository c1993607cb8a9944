import { embedderConformance } from "@omnirag/core/testing"
import { describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { buildEmbedder } from "./builtPlugins.ts"
import { models } from "@omnirag/testkit/models"
import { modelFolder, tinyEmbedder, tinyFiles } from "@omnirag/testkit/tinyModels"

embedderConformance({
  name: "onnx",
  layer: Layer.unwrap(
    Effect.map(modelFolder("model", tinyFiles(tinyEmbedder)), (model) => buildEmbedder({ model, workers: 2 }))
  ),
  corpus: ["alpha alpha beta", "beta gamma gamma", "delta passage delta", "query ".repeat(700)],
  // sums of floats in another order, where texts of a batch are padded
  tolerance: 1e-6
})

const model = join(models, "all-MiniLM-L6-v2-q")
describe.skipIf(!existsSync(model))(
  "all-MiniLM-L6-v2-q (skipped where scripts/fetch-models.sh did not fetch it)",
  () => {
    embedderConformance({
      name: "onnx with all-MiniLM-L6-v2-q",
      layer: buildEmbedder({ model }),
      corpus: [
        "How do I reset my password?",
        "The harbour was full of fishing boats.",
        "Vectors are compared by their cosine, higher is nearer."
      ]
    })
  }
)
