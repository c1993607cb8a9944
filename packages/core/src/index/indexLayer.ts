import { Layer } from "effect"
import { GenerationBuilder } from "./GenerationBuilder.ts"
import { GenerationPool } from "./GenerationPool.ts"
import { GenerationReader } from "./GenerationReader.ts"
import { IndexParts } from "./IndexParts.ts"

/** The index: one pool of open generations, with who reads it and who builds it. */
export const indexLayer = Layer.mergeAll(GenerationReader.layer, GenerationBuilder.layer).pipe(
  Layer.provide(GenerationPool.layer),
  Layer.provide(IndexParts.layer)
)
