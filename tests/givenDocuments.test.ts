import { assert, describe, it } from "@effect/vitest"
import { Documents, Indexer } from "@omnirag/core/app"
import { Effect } from "effect"
import { join } from "node:path"
import { documentIds, runSoundly } from "@omnirag/testkit/soundRun"
import { Corpus, inSystem, makeWorld, runIndex, searchPaths } from "@omnirag/testkit/TestSystem"

const section = (title: string, words: string) =>
  `# ${title}\n\nThis section is about ${words} and nothing else.\n`

describe("documents given through the API", () => {
  it.effect("are not removed by a source that takes their name, which is free once they are deleted", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      world.corpus.write("a.md", section("Alpha", "walruses"))
      const give = Indexer.use((indexer) =>
        indexer.upsertDocument({ source: "notes", path: "n.md", text: section("Note", "ibexes") })
      )
      yield* inSystem(world, Effect.andThen(runSoundly, give))
      const notes = new Corpus(join(world.folder, "notes"))
      notes.write("f.md", section("File", "lynxes"))
      world.moreSources = [`{ use: folder, options: { path: ${notes.root} } }`]
      yield* inSystem(
        world,
        Effect.gen(function* () {
          for (const options of [{}, { rebuild: true }]) {
            const run = yield* runIndex(options)
            assert.strictEqual(run.status, "partial")
            assert.deepInclude(run.failures[0], {
              documentId: "notes",
              stage: "walk",
              code: "BAD_USER_INPUT"
            })
            assert.deepStrictEqual(yield* documentIds, ["docs/a.md", "notes/n.md"])
          }
          yield* Indexer.use((indexer) => indexer.deleteDocuments(["notes/n.md"]))
          yield* runSoundly
          assert.deepStrictEqual(yield* documentIds, ["docs/a.md", "notes/f.md"])
          const refused = yield* Effect.flip(give)
          assert.strictEqual(refused.code, "BAD_USER_INPUT")
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("survive a rebuild, and a half-built generation follows what happens to them", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      world.corpus.write("a.md", section("Alpha", "walruses"))
      const give = (path: string, words: string) =>
        Indexer.use((indexer) =>
          indexer.upsertDocument({ source: "notes", path, text: section(path, words) })
        )
      yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runSoundly
          yield* give("kept.md", "capybaras")
          yield* give("deleted.md", "lemurs")
          yield* runIndex({ rebuild: true })
          assert.deepStrictEqual(yield* documentIds, ["docs/a.md", "notes/deleted.md", "notes/kept.md"])
        })
      )
      const changed = "chunker: { use: markdown, options: { maxLength: 1500 } }"
      world.corpus.write("new.md", section("New", "text that fails"))
      world.corpus.write("a.md", section("Alpha", "text that fails"))
      world.probe.failOn = (text) => text.includes("text that fails")
      yield* inSystem(
        world,
        Effect.gen(function* () {
          // a.md cannot be brought over, so the old generation stays in use
          const partial = yield* runIndex()
          assert.strictEqual(partial.status, "partial")
          assert.include(partial.warnings.join(), "g-000002 stays in use: g-000003 lacks 1 of its documents")
          assert.deepStrictEqual(yield* documentIds, ["docs/a.md", "notes/deleted.md", "notes/kept.md"])
          assert.strictEqual(
            yield* Documents.use((documents) => documents.text("docs/a.md")),
            section("Alpha", "walruses")
          )
          yield* Indexer.use((indexer) => indexer.deleteDocuments(["notes/deleted.md"]))
          yield* give("late.md", "ibexes")

          world.probe.failOn = () => false
          yield* runSoundly
          assert.deepStrictEqual(yield* documentIds, [
            "docs/a.md",
            "docs/new.md",
            "notes/kept.md",
            "notes/late.md"
          ])
          assert.strictEqual((yield* searchPaths("capybaras"))[0], "kept.md")
        }),
        changed
      )
    }).pipe(Effect.scoped)
  )
})
