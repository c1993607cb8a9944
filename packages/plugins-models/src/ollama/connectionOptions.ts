import { Effect, Schema } from "effect"

const byDefault =
  <const A>(value: A) =>
  <S extends Schema.Top>(schema: S) =>
    schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed(value as S["Encoded"])))

const seconds = (value: number, description: string) =>
  Schema.Finite.pipe(
    Schema.check(Schema.isBetween({ minimum: 0.1, maximum: 86_400 })),
    byDefault(value)
  ).annotate({ description: `Seconds ${description}` })

/** Empty, a number of seconds, or a duration of the Go language. */
const duration = /^(?:|-?\d+(?:\.\d+)?|-?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+)$/

/** The options that the embedder and the language model `ollama` share. */
export const connectionOptions = {
  url: Schema.String.pipe(byDefault("")).annotate({
    description:
      "Address of Ollama; when empty, the environment variable OLLAMA_URL, then OLLAMA_HOST, then http://127.0.0.1:11434"
  }),
  timeouts: Schema.Struct({
    connect: seconds(5, "until the connection stands"),
    firstByte: seconds(600, "until the answer begins; a model may have to be loaded first"),
    idle: seconds(120, "between two pieces of an answer"),
    total: seconds(3600, "for a whole call")
  })
    .pipe(byDefault({}))
    .annotate({ description: "How long each phase of a call may take" }),
  retries: Schema.Int.pipe(
    Schema.check(Schema.isBetween({ minimum: 0, maximum: 20 })),
    byDefault(3)
  ).annotate({
    description: "How often a failed call that may be repeated is tried again, with growing pauses"
  }),
  keepAlive: Schema.Union([Schema.String.check(Schema.isPattern(duration)), Schema.Finite])
    .pipe(byDefault(""))
    .annotate({
      description:
        "How long the model stays loaded, as Ollama's keep_alive (30m, seconds, -1 for always); when empty, the server decides"
    })
} as const

export type ConnectionOptions = typeof connectionSchema.Type
const connectionSchema = Schema.Struct(connectionOptions)
