import { Effect, Option } from "effect"
import { ModelChanged } from "../domain/errors.ts"
import type { Embedder } from "../ports/EmbedderProvider.ts"

/** The error to refuse with when the model of a loaded embedder has been replaced since. */
export const modelChange = ({
  currentFingerprint,
  fingerprint
}: Embedder): Effect.Effect<Option.Option<ModelChanged>> =>
  currentFingerprint === undefined
    ? Effect.succeedNone
    : Effect.map(currentFingerprint, (configured) =>
        configured === fingerprint
          ? Option.none()
          : Option.some(new ModelChanged({ indexed: fingerprint, configured }))
      )
