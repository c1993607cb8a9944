import { assert } from "@effect/vitest"
import { Documents } from "@omnirag/core/app"
import { Effect } from "effect"
import { contents, runIndex } from "./TestSystem.ts"

/** The ids of all documents, sorted. */
export const documentIds = Effect.gen(function* () {
  const documents = yield* Documents
  return (yield* documents.list({ first: 1_000 })).documents.map(({ id }) => id)
})

/** Runs and checks that catalog and store agree afterwards. */
export const runSoundly = Effect.gen(function* () {
  const run = yield* runIndex()
  assert.strictEqual(run.status, "succeeded")
  const { chunkIds, counts, storeIds } = yield* contents
  assert.deepStrictEqual(storeIds, chunkIds)
  assert.strictEqual(counts.outbox, 0)
  return run
})
