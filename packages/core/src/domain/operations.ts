import { Effect, Schema } from "effect"
import { DocumentInput } from "./DocumentInput.ts"
import { ChunkConditions, DocumentConditions } from "./filterConditions.ts"
import { SearchMode } from "./Hit.ts"
import { requestBounds, requestDefaults } from "./requestBounds.ts"

/** What a caller can ask for: the sentence that explains it, and its arguments as the caller writes them. */
const operation = <F extends Schema.Struct.Fields>(description: string, fields: F) => ({
  description,
  arguments: Schema.Struct(fields)
})

const whole = (minimum: number, maximum: number, otherwise: number) =>
  Schema.Int.pipe(
    Schema.check(Schema.isBetween({ minimum, maximum })),
    Schema.withDecodingDefaultKey(Effect.succeed(otherwise))
  )
const flag = (otherwise: boolean) =>
  Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(otherwise)))
const ids = Schema.Array(Schema.String).pipe(Schema.check(Schema.isMaxLength(requestBounds.ids)))

const question = Schema.String.pipe(
  Schema.check(Schema.isMinLength(1), Schema.isMaxLength(requestBounds.questionLength))
).annotate({
  description: `The question, 1 … ${requestBounds.questionLength.toLocaleString("en-US")} characters.`
})
const topK = whole(1, requestBounds.topK, requestDefaults.topK)
const where = Schema.optionalKey(ChunkConditions).annotate({
  description: "Which chunks to look at; all by default."
})
const rerank = flag(requestDefaults.rerank)
const runId = Schema.String.annotate({ description: "Id of the run." })

const asking = {
  question,
  topK: topK.annotate({
    description: `How many passages the answer may use, 1 … ${requestBounds.topK}.`
  }),
  where,
  rerank: rerank.annotate({ description: "Reorder the passages with the configured reranker." })
}

/** Every operation of the system, for the interfaces that offer them. */
export const operations = {
  search: operation("Finds the chunks that match a question best.", {
    query: question,
    topK: topK.annotate({ description: `How many hits, 1 … ${requestBounds.topK}.` }),
    where,
    mode: Schema.optionalKey(SearchMode).annotate({
      description: "How candidates are found. By default as configured: `HYBRID`, if nothing else is."
    }),
    rerank: rerank.annotate({ description: "Reorder the hits with the configured reranker." })
  }),
  ask: operation("Answers a question from the indexed documents, with citations.", asking),
  askLive: operation(
    "The same answer live: `Sources` first, then tokens and citations, then one `Done`. A failure at any time is one `Failed`, so that clients look in one place.",
    asking
  ),
  evaluateAnswer: operation(
    "How far chunks of the index support an answer to a question. Deterministic; asks no model.",
    {
      question: Schema.String.annotate({ description: "The question." }),
      answer: Schema.String.annotate({
        description: "The answer. It does not change the figures: what only the answer says supports nothing."
      }),
      chunkIds: ids.annotate({ description: `The chunks it rests on, at most ${requestBounds.ids}.` })
    }
  ),
  document: operation("The document with this id; null when there is none.", {
    id: Schema.String.annotate({ description: "Source name, a slash, and the path." })
  }),
  documents: operation("The indexed documents, in the order of their ids.", {
    where: Schema.optionalKey(DocumentConditions).annotate({
      description: "Which documents; all by default."
    }),
    first: whole(1, requestBounds.documents, requestDefaults.documents).annotate({
      description: `How many, 1 … ${requestBounds.documents}.`
    }),
    after: Schema.optionalKey(Schema.String).annotate({
      description: "`pageInfo.endCursor` of the page before."
    })
  }),
  chunk: operation("The chunk with this id; null when there is none.", {
    id: Schema.String.annotate({ description: "Id of the chunk." })
  }),
  chunksOfDocument: operation("Its chunks in the order of the text.", {
    first: whole(1, requestBounds.chunksOfDocument, requestDefaults.chunksOfDocument).annotate({
      description: `How many, 1 … ${requestBounds.chunksOfDocument}.`
    }),
    skip: whole(0, Number.MAX_SAFE_INTEGER, 0).annotate({ description: "How many to pass over before." })
  }),
  previewChunks: operation("Chunks a text as indexing would, without indexing it.", {
    text: Schema.String.annotate({ description: "The text." }),
    mediaType: Schema.optionalKey(Schema.String).annotate({
      description: "Its media type; `text/markdown` by default."
    }),
    chunker: Schema.optionalKey(Schema.String).annotate({
      description: "Name of a chunker plugin, with its default options; the configured one by default."
    })
  }),
  sources: operation("The sources with what is indexed of each.", {}),
  indexRuns: operation("The latest indexing runs, newest first, the one under way included.", {
    first: whole(1, requestBounds.runs, requestDefaults.runs).annotate({
      description: `How many, 1 … ${requestBounds.runs}.`
    })
  }),
  status: operation("What the system is made of and whether it works.", {}),
  plugins: operation("The plugins the server knows.", {}),
  startIndex: operation(
    "Starts an indexing run in the background and returns at once; see `indexProgress`.",
    {
      sources: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
        description: "Names of the sources to look at; all by default."
      }),
      full: flag(requestDefaults.full).annotate({
        description: "Load and chunk every file again, changed or not."
      })
    }
  ),
  cancelIndex: operation("Stops a run; what it has committed stays. Returns the run as it ended.", { runId }),
  indexProgress: operation(
    "The progress of a run from now until it ends; of a run that has ended, its last moment.",
    { runId: Schema.String.annotate({ description: "Id of the run, as `startIndex` returned it." }) }
  ),
  upsertDocument: operation("Indexes a document, in place of an older version of it.", {
    input: DocumentInput.annotate({ description: "The document." })
  }),
  deleteDocuments: operation("Removes documents from the index; returns how many of them there were.", {
    ids: ids.annotate({ description: `Ids of the documents, at most ${requestBounds.ids}.` })
  })
}
