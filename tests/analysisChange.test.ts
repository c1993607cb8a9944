import { assert, it } from "@effect/vitest"
import { Retriever } from "@omnirag/core/app"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { crc32 } from "node:zlib"
import { contents, inSystem, makeWorld, runIndex, type TestWorld } from "@omnirag/testkit/TestSystem"

const lsa = "embedder: { use: lsa }"

const setMeta = (db: DatabaseSync, key: string, value: string) =>
  db
    .prepare("UPDATE meta SET value = ?, checksum = ? WHERE key = ?")
    .run(value, crc32(`${key}\0${value}`), key)

/** Makes the index what a program with an older analysis of texts would have left. */
const age = (world: TestWorld) =>
  Effect.sync(() => {
    const generation = join(world.data, "g-000001")
    const model = join(generation, "artifacts", "lsa-model")
    const bytes = readFileSync(model)
    // the version of the analysis in the model, which begins at 56, and the checksum over all behind it
    bytes.writeUInt32LE(0, 72)
    createHash("sha256").update(bytes.subarray(40)).digest().copy(bytes, 8)
    writeFileSync(model, bytes)

    const db = new DatabaseSync(join(generation, "catalog.sqlite"))
    db.exec("UPDATE chunk_terms SET body = 'otherwise'")
    setMeta(db, "lexical.terms", "0.0")
    db.close()
  })

const search = (mode: "lexical" | "hybrid") =>
  Retriever.use((retriever) => retriever.search({ query: "grazing walruses", topK: 10, mode })).pipe(
    Effect.map(({ hits }) => hits.length)
  )

it.effect("an index of an older analysis of texts is brought up to date by the next run", () =>
  Effect.gen(function* () {
    const world = yield* makeWorld
    for (const name of ["a", "b", "c"])
      world.corpus.write(`${name}.md`, `# ${name}\n\nThe walruses of ${name} are grazing by the sea.\n`)
    yield* inSystem(world, runIndex(), lsa)
    yield* age(world)
    yield* inSystem(
      world,
      Effect.gen(function* () {
        assert.strictEqual(yield* search("lexical"), 0)
        // what was learned before still serves
        assert.strictEqual(yield* search("hybrid"), 3)
        const run = yield* runIndex()
        assert.strictEqual(run.status, "succeeded")
        assert.deepStrictEqual(run.warnings, [
          "a new index is built beside the one in use: another version of this program, which reads words differently, fitted lsa",
          "the lexical terms of 3 chunks were made again: their analysis changed"
        ])
        assert.strictEqual(yield* search("lexical"), 3)
        assert.strictEqual(yield* search("hybrid"), 3)
        const { chunkIds, storeIds } = yield* contents
        assert.deepStrictEqual(storeIds, chunkIds)
        assert.deepStrictEqual((yield* runIndex()).warnings, [])
      }),
      lsa
    )
  }).pipe(Effect.scoped)
)
