import { assert, describe, it } from "@effect/vitest"
import {
  AccessPolicy,
  Answering,
  ChunkFilter,
  CurrentCaller,
  Documents,
  Indexer,
  IndexVerifier,
  Retriever,
  SystemStatus
} from "@omnirag/core/app"
import { configOf, Corpus, makeWorld, runIndex, type TestWorld } from "@omnirag/testkit/TestSystem"
import { withSystem, type SystemServices } from "@omnirag/testkit/withSystem"
import { Effect, Layer, Result, type Scope, Stream } from "effect"
import { join } from "node:path"

/** Hides the source `vault` from everybody but the operator. */
const policy = Layer.succeed(AccessPolicy, {
  visible: ({ id }) =>
    Effect.succeed(id === "guest" ? ChunkFilter.not(ChunkFilter.equals("repo", "vault")) : null),
  permits: () => Effect.succeed(true)
})

const asGuest = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, CurrentCaller, { id: "guest", claims: {} })

/** Every word that only the hidden source holds: its name, its path, its title, its text. */
const hidden = /vault|treasure|Galleon|doubloons/i

const question = "How many doubloons and walruses are there?"

const inGuardedSystem = <A, E>(world: TestWorld, use: Effect.Effect<A, E, SystemServices | Scope.Scope>) =>
  withSystem(configOf(world), world.plugins, use, policy)

/** Two sources, of which one is hidden; the hidden one also has a file that is skipped. */
const twoSources = Effect.gen(function* () {
  const world = yield* makeWorld
  const vault = new Corpus(join(world.folder, "vault"))
  world.moreSources = [`{ use: folder, options: { name: vault, path: ${vault.root} } }`]
  world.corpus.write("shore.md", "# Shore\n\nThirty walruses rest on the shore.\n")
  vault.write("treasure.md", "# Galleon\n\nForty doubloons lie with the walruses of the galleon.\n")
  vault.write("treasure.bin", "\0doubloons")
  return world
})

const idsOf = Effect.gen(function* () {
  const documents = yield* Documents
  const [chunk] = yield* documents.chunksOf("vault/treasure.md")
  if (chunk === undefined) return yield* Effect.die(new Error("the hidden document has no chunk"))
  return { document: "vault/treasure.md", chunk: chunk.id }
})

describe("a policy that hides a source", () => {
  it.effect("hides it from every way of reading", () =>
    Effect.gen(function* () {
      const world = yield* twoSources
      yield* inGuardedSystem(
        world,
        Effect.gen(function* () {
          yield* runIndex()
          const { chunk, document } = yield* idsOf
          const documents = yield* Documents
          const retriever = yield* Retriever
          const answering = yield* Answering
          const status = yield* SystemStatus
          const where = ChunkFilter.equals("repo", "vault")
          const reads: Readonly<Record<string, Effect.Effect<unknown, unknown>>> = {
            hybrid: retriever.search({ query: question, topK: 10, mode: "hybrid" }),
            vector: retriever.search({ query: question, topK: 10, mode: "vector" }),
            lexical: retriever.search({ query: question, topK: 10, mode: "lexical" }),
            filtered: retriever.search({ query: question, topK: 10, where }),
            ask: Effect.map(
              answering.ask({ question: "How many walruses are there?", topK: 10 }),
              (answer) => ({
                ...answer,
                warnings: []
              })
            ),
            stream: Stream.runCollect(answering.stream({ question: "walruses", topK: 10 })),
            getMany: documents.getMany([document]),
            list: documents.list({ first: 100 }),
            listed: documents.list({ first: 100, where }),
            chunks: documents.chunks([chunk]),
            sources: documents.sources,
            status: status.status,
            checks: status.checks,
            runs: (yield* Indexer).runs(10)
          }
          for (const [name, read] of Object.entries(reads)) {
            const seen = JSON.stringify(yield* asGuest(read))
            assert.notMatch(seen, hidden, name)
            // the same question of somebody who may, so that the test would notice
            if (
              [
                "hybrid",
                "vector",
                "lexical",
                "filtered",
                "getMany",
                "list",
                "listed",
                "chunks",
                "sources"
              ].includes(name)
            )
              assert.match(JSON.stringify(yield* read), hidden, name)
          }
          const byId: Readonly<Record<string, Effect.Effect<unknown, { readonly code: string }>>> = {
            get: documents.get(document),
            text: documents.text(document),
            chunk: documents.chunk(chunk),
            chunksOf: documents.chunksOf(document)
          }
          for (const [name, read] of Object.entries(byId)) {
            const refused = yield* Effect.result(asGuest(read))
            assert.isTrue(Result.isFailure(refused) && refused.failure.code === "NOT_FOUND", name)
            assert.isTrue(Result.isSuccess(yield* Effect.result(read)), name)
          }
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("counts as if it were not there", () =>
    Effect.gen(function* () {
      const world = yield* twoSources
      yield* inGuardedSystem(
        world,
        Effect.gen(function* () {
          yield* runIndex()
          const { generations, checks } = yield* asGuest(SystemStatus.use(({ status }) => status))
          assert.deepInclude(generations[0]?.counts, { documents: 1, chunks: 1, vectors: 1, outbox: 0 })
          assert.strictEqual(generations[0]?.vectors, 1)
          assert.include(checks[0]?.detail, "1 documents, 1 chunks")
          assert.strictEqual(
            (yield* asGuest(Documents.use((documents) => documents.list({ first: 1 })))).total,
            1
          )
          const [run] = yield* asGuest(Indexer.use((indexer) => indexer.runs(1)))
          assert.deepInclude(run, { sources: ["docs"], failures: [], skipped: [] })
          assert.strictEqual(run?.counts.files, 0)
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect(
    "keeps a caller from running, changing and deleting it, in the words for what does not exist",
    () =>
      Effect.gen(function* () {
        const world = yield* twoSources
        yield* inGuardedSystem(
          world,
          Effect.gen(function* () {
            yield* runIndex()
            const indexer = yield* Indexer
            const refused = yield* Effect.flip(asGuest(indexer.run({ sources: ["vault"] })))
            assert.strictEqual(refused.message, "no source is called vault; known: docs")
            const written = yield* Effect.flip(
              asGuest(
                indexer.upsertDocument({
                  source: "vault",
                  path: "new.md",
                  text: "# New\n\nNothing new here.\n"
                })
              )
            )
            assert.strictEqual(written.code, "FORBIDDEN")
            assert.strictEqual(yield* asGuest(indexer.deleteDocuments(["vault/treasure.md"])), 0)
            yield* Documents.use((documents) => documents.get("vault/treasure.md"))
            // a run of what the caller may know leaves the rest as it is
            const run = yield* asGuest(indexer.run({}))
            assert.deepStrictEqual(run.sources, ["docs"])
            yield* Documents.use((documents) => documents.get("vault/treasure.md"))
            const verifier = yield* IndexVerifier
            assert.strictEqual((yield* Effect.flip(asGuest(verifier.verify))).code, "FORBIDDEN")
            assert.strictEqual((yield* Effect.flip(asGuest(verifier.repairStore))).code, "FORBIDDEN")
            assert.isTrue((yield* verifier.verify).sound)
          })
        )
      }).pipe(Effect.scoped)
  )
})

describe("a policy that permits nothing but reading", () => {
  const readOnly = Layer.succeed(AccessPolicy, {
    visible: () => Effect.succeed(null),
    permits: ({ id }) => Effect.succeed(id !== "guest")
  })

  it.effect("refuses every way of changing the index", () =>
    Effect.gen(function* () {
      const world = yield* twoSources
      yield* withSystem(
        configOf(world),
        world.plugins,
        Effect.gen(function* () {
          const run = yield* runIndex()
          const indexer = yield* Indexer
          const changes: Readonly<Record<string, Effect.Effect<unknown, { readonly code: string }>>> = {
            run: indexer.run({}),
            start: indexer.start({}),
            cancel: indexer.cancel(run.id),
            progress: Stream.runCollect(indexer.progress(run.id)),
            upsert: indexer.upsertDocument({
              source: "notes",
              path: "a.md",
              text: "# A\n\nSome words of a note.\n"
            }),
            delete: indexer.deleteDocuments(["docs/shore.md"])
          }
          for (const [name, change] of Object.entries(changes))
            assert.strictEqual((yield* Effect.flip(asGuest(change))).code, "FORBIDDEN", name)
          assert.lengthOf(
            (yield* asGuest(
              Retriever.use(({ search }) => search({ query: "shore", topK: 5, mode: "lexical" }))
            )).hits,
            1
          )
        }),
        readOnly
      )
    }).pipe(Effect.scoped)
  )
})
