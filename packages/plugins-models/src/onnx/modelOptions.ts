import { Effect, Schema } from "effect"
import { weightFiles } from "./weightFiles.ts"

const between = (minimum: number, maximum: number) =>
  Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum, maximum })))

const orNull = <S extends Schema.Top>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

/** A whole number from `minimum` to `maximum`, null when absent: then the model or the plugin decides. */
export const optionalInt = (minimum: number, maximum: number) => orNull(between(minimum, maximum))

/** A text, null when absent. */
export const optionalText = orNull(Schema.String)

/** Options of every ONNX model. */
export const modelOptions = {
  cache: Schema.NonEmptyString.pipe(Schema.withDecodingDefaultKey(Effect.succeed(".models"))).annotate({
    description: "Folder for models downloaded from the hub"
  }),
  offline: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(true))).annotate({
    description: "Nothing is downloaded; false downloads a hub model that is not in the cache"
  }),
  hub: Schema.NonEmptyString.pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("https://huggingface.co"))
  ).annotate({ description: "Root address of the hub" }),
  revision: Schema.NonEmptyString.pipe(Schema.withDecodingDefaultKey(Effect.succeed("main"))).annotate({
    description: "Branch, tag or commit of a hub model"
  }),
  file: orNull(Schema.NonEmptyString).annotate({
    description: `Weights inside the folder; null takes the first of ${weightFiles.join(", ")}`
  }),
  threads: between(1, 64)
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(1)))
    .annotate({ description: "Threads of one model run" }),
  workers: between(1, 64)
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(1)))
    .annotate({ description: "Processes with the model; each holds its own copy of the weights" })
}
