import { Context, Cron, Effect, Result, Schema } from "effect"
import { SearchMode } from "../domain/Hit.ts"
import { PluginSelection } from "../plugin/PluginSelection.ts"

const withDefault =
  <const A>(value: A) =>
  <S extends Schema.Top & { readonly Encoded: unknown }>(schema: S) =>
    schema.pipe(Schema.withDecodingDefaultKey(Effect.succeed(value as S["Encoded"])))

const between = (minimum: number, maximum: number) =>
  Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum, maximum })))

const selection = (use: string, description: string) =>
  PluginSelection.pipe(withDefault({ use })).annotate({ description })

export const ServerConfig = Schema.Struct({
  host: Schema.NonEmptyString.pipe(withDefault("127.0.0.1")).annotate({
    description:
      "Address to listen on. The server has no authentication: be careful with an address that others can reach"
  }),
  port: between(0, 65_535).pipe(withDefault(8082)).annotate({ description: "Port; 0 picks a free one" }),
  graphiql: Schema.Boolean.pipe(withDefault(false)).annotate({
    description: "Serve the GraphiQL page on /graphql even when NODE_ENV is production"
  })
})

export const RetrievalConfig = Schema.Struct({
  mode: SearchMode.pipe(withDefault("hybrid")).annotate({ description: "Mode of a search that names none" }),
  candidates: between(1, 10_000).pipe(withDefault(300)).annotate({
    description: "Candidates that each list gives to the fusion, before the top k are chosen"
  }),
  fusion: Schema.Literals(["scaled", "rrf"]).pipe(withDefault("scaled")).annotate({
    description:
      "scaled: scores of each list scaled to 0 … 1 and added by weight; rrf: reciprocal rank fusion"
  }),
  vectorWeight: Schema.NullOr(Schema.Finite.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: 1 }))))
    .pipe(withDefault(null))
    .annotate({
      description: "Weight of the vector list, 0 … 1; null takes the one measured for the embedder"
    }),
  feedback: Schema.Boolean.pipe(withDefault(true)).annotate({
    description: "Expand the question with terms of the best passages (pseudo-relevance feedback)"
  }),
  lexical: Schema.Literals(["catalog", "vectorStore"]).pipe(withDefault("catalog")).annotate({
    description: "Which part searches by words; vectorStore for a store with a word index of its own"
  })
})

export const IndexingConfig = Schema.Struct({
  concurrency: between(1, 64)
    .pipe(withDefault(4))
    .annotate({ description: "Files loaded and chunked at once" }),
  schedule: Schema.NullOr(
    Schema.String.pipe(
      Schema.check(
        Schema.makeFilter(
          (text: string) =>
            Result.isSuccess(Cron.parse(text)) || "expected a cron expression such as 0 * * * *"
        )
      )
    )
  )
    .pipe(withDefault(null))
    .annotate({
      description: "When `serve` runs the indexer by itself: a cron expression in UTC; null for never"
    }),
  quietMs: between(50, 3_600_000).pipe(withDefault(500)).annotate({
    description: "`serve --watch` indexes when nothing has changed for this many milliseconds"
  }),
  minimumChunkLength: between(0, 10_000).pipe(withDefault(10)).annotate({
    description: "Chunks shorter than this are counted and left out, in UTF-16 units"
  }),
  checkOnOpen: Schema.Boolean.pipe(withDefault(true)).annotate({
    description:
      "Compare the number of vectors in the store with that of the chunks whenever the index is opened; false where the store counts slowly"
  })
})

export const AnsweringConfig = Schema.Struct({
  floor: Schema.NullOr(Schema.Finite.pipe(Schema.check(Schema.isBetween({ minimum: 0, maximum: 1 }))))
    .pipe(withDefault(null))
    .annotate({
      description:
        "Relevance the best passage must have, 0 … 1; below it no answer is given and no model is asked. `omnirag calibrate` finds it; null takes the one measured for the embedder"
    }),
  strict: Schema.Boolean.pipe(withDefault(false)).annotate({
    description:
      "Refuse an answer at its first sentence with names, numbers or terms that neither the passages nor the question contain, instead of warning; text is then streamed sentence by sentence"
  })
})

export const OmniragConfig = Schema.Struct({
  data: Schema.NonEmptyString.pipe(withDefault("data")).annotate({
    description: "Folder of the index, relative to the working directory"
  }),
  server: ServerConfig.pipe(withDefault({})),
  sources: Schema.NonEmptyArray(PluginSelection).annotate({ description: "What to index" }),
  loaders: Schema.NonEmptyArray(PluginSelection)
    .pipe(withDefault([{ use: "markdown" }, { use: "text" }]))
    .annotate({
      description: "What turns files into documents; the first one that accepts a media type loads it"
    }),
  chunker: selection("markdown", "What splits documents"),
  embedder: selection("lsa", "What turns texts into vectors"),
  vectorStore: selection("faiss", "Where vectors are kept and searched"),
  catalog: selection("sqlite", "Where documents, chunks and the lexical index are kept"),
  reranker: Schema.NullOr(PluginSelection).pipe(withDefault(null)).annotate({
    description: "What reorders hits when a request asks for it; null for none"
  }),
  answers: selection("extractive", "What writes answers"),
  languageModel: Schema.NullOr(PluginSelection).pipe(withDefault(null)).annotate({
    description: "The model behind generated answers and model reranking; null for none"
  }),
  retrieval: RetrievalConfig.pipe(withDefault({})),
  answering: AnsweringConfig.pipe(withDefault({})),
  indexing: IndexingConfig.pipe(withDefault({})),
  plugins: Schema.Array(Schema.NonEmptyString).pipe(withDefault([])).annotate({
    description: "Modules with more plugins: paths or names of packages"
  })
})

/** The decoded configuration file. */
export class AppConfig extends Context.Service<AppConfig, typeof OmniragConfig.Type>()(
  "@omnirag/core/config/AppConfig"
) {}
