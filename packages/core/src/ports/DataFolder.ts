import { Context } from "effect"
import type { GenerationRef } from "./GenerationRef.ts"

/** The folder on this machine (`data:`) in which providers that keep files keep them. Use cases know no folder. */
export class DataFolder extends Context.Service<
  DataFolder,
  {
    /** Absolute path. Made by the first provider that writes. */
    readonly path: string
    /** The folder of one generation, shared by the providers that keep files for it; each has names of its own in it. */
    readonly of: (generation: GenerationRef) => string
  }
>()("@omnirag/core/ports/DataFolder") {}
