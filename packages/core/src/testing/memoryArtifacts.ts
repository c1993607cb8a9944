import { Effect, Option } from "effect"
import type { Artifact, Artifacts } from "../ports/ArtifactStore.ts"

/** The artifacts of one generation in memory, to be looked at and changed by tests of embedders. */
export interface MemoryArtifacts extends Artifacts {
  readonly stored: Map<string, Artifact>
}

/** Artifacts that are kept in memory; what is put is copied, as a store would. */
export const memoryArtifacts = (): MemoryArtifacts => {
  const stored = new Map<string, Artifact>()
  return {
    stored,
    get: (name) => Effect.sync(() => Option.fromUndefinedOr(stored.get(name))),
    put: (name, { bytes, fingerprint }) =>
      Effect.sync(() => {
        stored.set(name, { bytes: Uint8Array.from(bytes), fingerprint })
      })
  }
}
