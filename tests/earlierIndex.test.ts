import { assert, describe, it } from "@effect/vitest"
import { GenerationReader, Indexer, IndexVerifier, remedyOf, Retriever } from "@omnirag/core/app"
import { inSystem, makeWorld, runIndex, searchPaths, type TestWorld } from "@omnirag/testkit/TestSystem"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** The embedder whose model changed its place. */
const lsa = "embedder: { use: lsa }"

const note = {
  source: "notes",
  path: "meeting.md",
  text: "# Meeting\n\nThe caretaker brings the keys of the observatory.\n"
}

const generation = (world: TestWorld) => join(world.data, "g-000001")

/** What stands before the content of an artifact, and the bytes of a fingerprint of `lsa` behind it. */
const artifactHead = 56
const fingerprintBytes = "lsa:".length + 32

/**
 * Gives the index of a world the layout it had before there were artifacts: the fitted model was the file
 * `embedder/lsa.model`, the same bytes behind a magic and their checksum.
 */
const toEarlierLayout = (world: TestWorld): void => {
  const artifacts = join(generation(world), "artifacts")
  const stored = readFileSync(join(artifacts, "lsa-model"))
  const model = stored.subarray(artifactHead, stored.length - fingerprintBytes)
  const checksum = createHash("sha256").update(model).digest()
  const fingerprint = stored.subarray(stored.length - fingerprintBytes).toString("utf8")
  assert.strictEqual(fingerprint, `lsa:${checksum.toString("hex").slice(0, 32)}`, "the bytes of the model")
  mkdirSync(join(generation(world), "embedder"))
  writeFileSync(
    join(generation(world), "embedder", "lsa.model"),
    Buffer.concat([Buffer.from("OMNI-LSA", "latin1"), checksum, model])
  )
  rmSync(artifacts, { recursive: true })
}

/** A world with two files and a document given through the API, in the earlier layout. */
const earlierIndex = Effect.gen(function* () {
  const world = yield* makeWorld
  world.corpus.write("lamp.md", "# Lamp\n\nThe lighthouse keeper lights the lamp at dusk.\n")
  world.corpus.write("boats.md", "# Boats\n\nThe harbour master counts the boats each evening.\n")
  yield* inSystem(
    world,
    Effect.andThen(
      runIndex(),
      Indexer.use((indexer) => indexer.upsertDocument(note))
    ),
    lsa
  )
  toEarlierLayout(world)
  return world
})

describe("an index from before the model was an artifact", () => {
  it.effect("is not answered from until a run has fitted the model, and says so", () =>
    Effect.gen(function* () {
      const world = yield* earlierIndex
      const error = yield* inSystem(
        world,
        Effect.flip(Retriever.use((retriever) => retriever.search({ query: "boats", topK: 3 }))),
        lsa
      )
      assert.strictEqual(error._tag, "IndexCorrupt")
      assert.include(
        error.message,
        "what the embedder learned from the corpus is missing, or has another format"
      )
      assert.strictEqual(remedyOf(error), "index")
      // by words it is searched as ever
      assert.deepStrictEqual(yield* inSystem(world, searchPaths("boats", { mode: "lexical" }), lsa), [
        "boats.md"
      ])
    })
  )

  it.effect("is built anew by the next run, which says so and loses nothing", () =>
    Effect.gen(function* () {
      const world = yield* earlierIndex
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const run = yield* runIndex()
          assert.strictEqual(run.status, "succeeded")
          assert.deepInclude(run.counts, { changed: 0, unchanged: 2, removed: 0 })
          assert.deepStrictEqual(run.warnings, [
            "a new index is built beside the one in use: g-000001/embedder: what the embedder learned from the corpus is missing, or has another format"
          ])
          const [found] = yield* searchPaths("who counts boats")
          assert.strictEqual(found, "boats.md")
          const [given] = yield* searchPaths("keys of the observatory", { mode: "vector" })
          assert.strictEqual(given, note.path)
          assert.strictEqual((yield* GenerationReader.use(({ live }) => live)).id, "g-000002")
          assert.isTrue((yield* IndexVerifier.use(({ verify }) => verify)).sound)
          assert.deepStrictEqual((yield* runIndex()).warnings, [])
        }),
        lsa
      )
      assert.isFalse(existsSync(generation(world)))
      assert.deepStrictEqual(readdirSync(join(world.data, "g-000002")).toSorted(), [
        "artifacts",
        "catalog.sqlite",
        "vectors"
      ])
    })
  )
})
