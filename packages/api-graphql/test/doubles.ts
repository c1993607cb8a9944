import { NodeHttpServer } from "@effect/platform-node"
import {
  type Answer,
  Answering,
  type Chunk,
  Documents,
  type DocumentRecord,
  type Evaluation,
  type Hit,
  Indexer,
  type IndexRun,
  emptyCounts,
  NotFound,
  Retriever,
  SystemStatus
} from "@omnirag/core/app"
import { Shutdown, statusRoutes } from "@omnirag/http"
import { Effect, Layer, Stream } from "effect"
import { HttpRouter } from "effect/http"
import { createServer } from "node:http"
import { type ApiOptions, graphqlRoutes } from "../src/index.ts"

/** Doubles of the use cases: what this package needs from the rest. Each test overrides what it is about. */

export const chunk = (fields: Partial<Chunk> = {}): Chunk => ({
  id: "c1",
  documentId: "handbook/guide/a.md",
  index: 0,
  text: "Guide\n\nGross margin rose in fiscal 2024.",
  bodyOffset: 7,
  start: 9,
  end: 42,
  startLine: 3,
  endLine: 3,
  headingPath: ["Guide"],
  page: null,
  intent: null,
  confidence: 1,
  ...fields
})

export const document = (id: string): DocumentRecord => ({
  id,
  source: "handbook",
  path: id.slice("handbook/".length),
  bundle: "guide",
  mediaType: "text/markdown",
  title: `Title of ${id}`,
  contentHash: "00",
  metadata: { lang: "en", tags: ["a", "b"], year: 2024 },
  revision: null,
  chunks: 1,
  length: 42,
  indexedAt: Date.UTC(2026, 10, 30, 17)
})

export const hit = (n: number): Hit => ({
  chunk: chunk({ id: `c${n}`, documentId: `handbook/guide/${n % 3}.md` }),
  repo: "handbook",
  bundle: "guide",
  path: `guide/${n % 3}.md`,
  title: "Guide",
  metadata: { lang: "en" },
  score: 1 / (n + 1),
  scores: { vector: 0.5, lexical: null, fused: 1, rerank: null },
  alsoIn: [],
  alsoInCount: 0
})

export const evaluation: Evaluation = {
  overall: 0.8,
  coverage: 1,
  confidence: 0.7,
  sourceDiversity: 1,
  chunksUsed: 1,
  verdict: "excellent",
  missingTerms: []
}

export const answer: Answer = {
  question: "Did the margin rise?",
  text: "Gross margin rose in fiscal 2024. [1]",
  abstained: false,
  sources: [hit(0)],
  citations: [
    {
      passage: 1,
      chunkId: "c0",
      documentId: "handbook/guide/0.md",
      path: "guide/0.md",
      headingPath: ["Guide"],
      start: 9,
      end: 42,
      startLine: 3,
      endLine: 3,
      quote: "Gross margin rose in fiscal 2024."
    }
  ],
  evaluation,
  unsupported: [],
  usage: null,
  warnings: []
}

export const run: IndexRun = {
  id: "run-1",
  status: "running",
  startedAt: Date.UTC(2026, 10, 30, 17),
  endedAt: null,
  sources: ["handbook"],
  counts: { ...emptyCounts, files: 3 },
  failures: [
    {
      documentId: "handbook/x.md",
      stage: "load",
      code: "DOCUMENT_REFUSED",
      message: "/srv/data/x.md: broken"
    }
  ],
  skipped: [],
  warnings: []
}

export const retriever = (overrides: Partial<Retriever["Service"]> = {}): Retriever["Service"] => ({
  search: ({ topK, mode }) =>
    Effect.succeed({
      hits: Array.from({ length: topK }, (_, n) => hit(n)),
      mode: mode ?? "hybrid",
      warnings: []
    }),
  searchIn: () => Effect.die(new Error("the API opens no generation")),
  ...overrides
})

export const answering = (overrides: Partial<Answering["Service"]> = {}): Answering["Service"] => ({
  ask: () => Effect.succeed(answer),
  stream: () =>
    Stream.make(
      { _tag: "Sources" as const, sources: answer.sources, warnings: [] },
      { _tag: "Token" as const, text: "Gross margin rose in fiscal 2024. [1]" },
      ...answer.citations.map((citation) => ({ _tag: "CitationEvent" as const, citation })),
      { _tag: "Done" as const, answer }
    ),
  ...overrides
})

export const documents = (overrides: Partial<Documents["Service"]> = {}): Documents["Service"] => ({
  get: (id) => Effect.succeed(document(id)),
  getMany: (ids) => Effect.succeed(ids.filter((id) => !id.startsWith("gone")).map(document)),
  text: () => Effect.succeed("# Guide\n\nGross margin rose in fiscal 2024.\n"),
  list: ({ first, after }) =>
    Effect.succeed({
      documents: Array.from({ length: first }, (_, n) => document(`handbook/${after ?? ""}${n}.md`)),
      next: "cursor",
      total: 5
    }),
  chunk: (id) => Effect.fail(new NotFound({ kind: "chunk", id })),
  chunks: (ids) =>
    Effect.succeed(
      ids
        .filter((id) => id.startsWith("c"))
        .map((id) => ({
          chunk: chunk({ id }),
          title: "Guide",
          fields: {
            documentId: "handbook/guide/a.md",
            repo: "handbook",
            bundle: "guide",
            path: "guide/a.md",
            mediaType: "text/markdown",
            intent: null,
            page: null,
            confidence: 1,
            metadata: {}
          }
        }))
    ),
  chunksOf: () => Effect.succeed([chunk(), chunk({ id: "c2", index: 1 }), chunk({ id: "c3", index: 2 })]),
  sources: Effect.succeed([{ name: "handbook", documents: 1, chunks: 1, revision: "abc" }]),
  preview: ({ text }) => Effect.succeed([chunk({ documentId: "gone/preview.md", text })]),
  ...overrides
})

export const indexer = (overrides: Partial<Indexer["Service"]> = {}): Indexer["Service"] => ({
  run: () => Effect.succeed(run),
  start: () => Effect.succeed(run),
  active: Effect.succeed(null),
  cancel: (runId) => Effect.fail(new NotFound({ kind: "run", id: runId })),
  progress: (runId) => Stream.fail(new NotFound({ kind: "run", id: runId })),
  runs: (first) => Effect.succeed(Array.from({ length: Math.min(first, 2) }, () => run)),
  upsertDocument: (input) => Effect.succeed(document(`${input.source}/${input.path}`)),
  deleteDocuments: (ids) => Effect.succeed(ids.length),
  ...overrides
})

export const systemStatus = (overrides: Partial<SystemStatus["Service"]> = {}): SystemStatus["Service"] => ({
  status: Effect.succeed({
    version: "1.2.3",
    uptimeMs: 5_000_000_000,
    ready: true,
    generations: [],
    activeRun: null,
    checks: []
  }),
  plugins: [{ kind: "embedder", name: "lsa", description: "Fitted on the corpus.", active: true }],
  checks: Effect.succeed([{ name: "index", healthy: true, optional: false, detail: "12 documents" }]),
  ...overrides
})

export interface Doubles {
  readonly retriever?: Partial<Retriever["Service"]>
  readonly answering?: Partial<Answering["Service"]>
  readonly documents?: Partial<Documents["Service"]>
  readonly indexer?: Partial<Indexer["Service"]>
  readonly systemStatus?: Partial<SystemStatus["Service"]>
}

/** The API on a free port of the loopback address, over doubles. */
export const serve = (doubles: Doubles = {}, options: ApiOptions = {}) =>
  HttpRouter.serve(Layer.merge(graphqlRoutes(options), statusRoutes), {
    disableLogger: true,
    disableListenLog: true
  }).pipe(
    Layer.provideMerge(
      NodeHttpServer.layer(() => createServer(), {
        port: 0,
        host: "127.0.0.1",
        gracefulShutdownTimeout: "1 second",
        websocket: { maxPayload: 1 << 20 }
      })
    ),
    Layer.provideMerge(Shutdown.layer),
    Layer.provide(
      Layer.mergeAll(
        Layer.succeed(Retriever, retriever(doubles.retriever)),
        Layer.succeed(Answering, answering(doubles.answering)),
        Layer.succeed(Documents, documents(doubles.documents)),
        Layer.succeed(Indexer, indexer(doubles.indexer)),
        Layer.succeed(SystemStatus, systemStatus(doubles.systemStatus))
      )
    )
  )
