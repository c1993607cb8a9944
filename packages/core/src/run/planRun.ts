import { countDocuments } from "../index/indexCounts.ts"
import { Effect } from "effect"
import type { CatalogError, EmbeddingError } from "../domain/errors.ts"
import type { PluginSelection } from "../plugin/PluginSelection.ts"
import type { Chunker } from "../ports/Chunker.ts"
import { getFact, sameSelection } from "../index/facts.ts"
import type { Generation } from "../index/Generation.ts"

/** Where a run writes. */
export type RunPlan =
  | { readonly _tag: "InPlace" }
  /** A generation beside the live one; `documents` are copied when the chunker is the same. */
  | { readonly _tag: "NewGeneration"; readonly documents: boolean; readonly reason: string }

/** Decides whether the live generation can be brought up to date in place. */
export const planRun = Effect.fn("planRun")(function* (
  generation: Generation,
  chunker: Chunker["Service"],
  configured: PluginSelection
): Effect.fn.Return<RunPlan, CatalogError | EmbeddingError> {
  const { documents } = yield* countDocuments(generation.catalog)
  if (documents === 0 && generation.fault?._tag === "EmbeddingError") return yield* generation.fault
  const chunkedBy = yield* getFact(generation.catalog, "chunker")
  if (chunkedBy === null && documents === 0 && generation.fault === null) return { _tag: "InPlace" }
  if (chunkedBy !== chunker.fingerprint) {
    return {
      _tag: "NewGeneration",
      documents: false,
      reason: `the chunker has changed from ${chunkedBy ?? "an unknown one"} to ${chunker.fingerprint}`
    }
  }
  if (!sameSelection(generation.selection, configured)) {
    return {
      _tag: "NewGeneration",
      documents: true,
      reason: `the embedder has changed from ${generation.selection.use} to ${configured.use}`
    }
  }
  // the vectors are sound, but their embedder cannot be reached: nothing to build anew
  if (generation.fault?._tag === "EmbeddingError") return yield* generation.fault
  if (generation.fault !== null) {
    return { _tag: "NewGeneration", documents: true, reason: generation.fault.message }
  }
  const { obsolete } = generation.vectors?.embedder ?? {}
  return obsolete === undefined
    ? { _tag: "InPlace" }
    : { _tag: "NewGeneration", documents: true, reason: obsolete }
})
