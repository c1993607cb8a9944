import { emptyCounts, IndexRun } from "@omnirag/core/app"
import { expect, it } from "@effect/vitest"
import { Schema } from "effect"

it("a run recorded before failed embeddings were counted reads as one without any", () => {
  const { embeddingsFailed: _, ...counts } = emptyCounts
  const recorded = {
    id: "r",
    status: "succeeded",
    startedAt: 1,
    endedAt: 2,
    sources: [],
    counts,
    failures: [],
    skipped: [],
    warnings: []
  }
  expect(Schema.decodeUnknownSync(IndexRun)(recorded).counts).toEqual(emptyCounts)
})
