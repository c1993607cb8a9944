import { Context, type Effect, type Option } from "effect"
import type { CatalogError, IndexCorrupt } from "../domain/errors.ts"
import type { GenerationRef } from "./GenerationRef.ts"

/** What a provider has learned, such as a fitted model. */
export interface Artifact {
  readonly bytes: Uint8Array
  /** Tells versions of the content apart; the provider's own. */
  readonly fingerprint: string
}

/** The artifacts of one generation. */
export interface Artifacts {
  /** The artifact as it was put; none when there is none. `IndexCorrupt` when its bytes fail their checksum. */
  readonly get: (name: string) => Effect.Effect<Option.Option<Artifact>, CatalogError | IndexCorrupt>
  /** Replaces the artifact as a whole: a reader, or a crash, meets the old one or the new one. */
  readonly put: (name: string, artifact: Artifact) => Effect.Effect<void, CatalogError>
}

/** Keeps what providers learn from the corpus: bytes with their checksum and fingerprint, by name (`a`-`z`, `0`-`9`, `-`). */
export class ArtifactStore extends Context.Service<
  ArtifactStore,
  {
    readonly name: string
    /** The artifacts of a generation; they go when the registry removes it. */
    readonly of: (generation: GenerationRef) => Artifacts
  }
>()("@omnirag/core/ports/ArtifactStore") {}
