import { Effect, Schema } from "effect"

const between = (minimum: number, maximum: number, fallback: number, description: string) =>
  Schema.Int.pipe(
    Schema.check(Schema.isBetween({ minimum, maximum })),
    Schema.withDecodingDefaultKey(Effect.succeed(fallback))
  ).annotate({ description })

export const LsaOptions = Schema.Struct({
  dimensions: between(2, 1_000, 200, "Length of the vectors; a corpus of lower rank gets shorter vectors"),
  iterations: between(
    0,
    10,
    3,
    "Rounds of subspace iteration: more are slower and closer to the exact result"
  ),
  maxTexts: between(
    100,
    1_000_000,
    12_000,
    "Most texts the model is fitted on; from a larger corpus a fixed sample is taken"
  ),
  maxTerms: between(100, 200_000, 60_000, "Most terms the model knows; those in most texts come first"),
  seed: between(0, 0xffff_ffff, 1, "Seed of the random numbers: the same corpus and seed give the same model")
})
export type LsaOptions = typeof LsaOptions.Type
