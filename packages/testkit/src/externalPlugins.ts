import { makeProbe, testEmbedder } from "./TestEmbedder.ts"

/** A module of plugins as a configuration lists it under `plugins:`. */
export const embedders = [testEmbedder(makeProbe())]
