import { assert, describe, it } from "@effect/vitest"
import { emptyCounts, Indexer, type IndexProgress } from "@omnirag/core/app"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { columnsOf, describeProgress, describeRun } from "../src/cli/progress.ts"
import { inSystem, makeWorld } from "@omnirag/testkit/TestSystem"

const words = (n: number) => `# Part ${n}\n\nThis is the text of part number ${n} of many parts.\n`

describe("progress of a run", () => {
  it.live("is told in events that end with the final status, with the time left while it is known", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      for (let n = 0; n < 120; n++) world.corpus.write(`${String(n).padStart(3, "0")}.md`, words(n))
      // long enough for the interval between two events to pass
      world.probe.before = () => Effect.sleep(20)
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const indexer = yield* Indexer
          const { id } = yield* indexer.start({})
          const events = yield* Stream.runCollect(indexer.progress(id))
          const last = events.at(-1)
          assert.deepInclude(last, { runId: id, status: "succeeded", filesTotal: 120, etaMs: null })
          assert.deepInclude(last?.counts, { files: 120, changed: 120, embedded: 120 })
          assert.isTrue(events.slice(0, -1).every(({ status }) => status === "running"))
          assert.isTrue(events.some(({ currentFile }) => currentFile?.startsWith("docs/") === true))
          assert.isTrue(events.some(({ etaMs, status }) => status === "running" && etaMs !== null))
          const bytes = events.map(({ counts }) => counts.bytes)
          assert.deepStrictEqual(
            bytes,
            bytes.toSorted((left, right) => left - right)
          )
          // who comes late gets the last moment, and an end
          assert.deepStrictEqual(yield* Stream.runCollect(indexer.progress(id)), [last])
        })
      )
    }).pipe(Effect.scoped)
  )

  it.live("a reader that is slow misses events, never the last, and holds up nobody", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      for (let n = 0; n < 400; n++) world.corpus.write(`${n}.md`, words(n))
      yield* inSystem(
        world,
        Effect.gen(function* () {
          const indexer = yield* Indexer
          const { id } = yield* indexer.start({})
          const done = yield* Deferred.make<void>()
          const seen: Array<IndexProgress> = []
          const slow = yield* Effect.forkChild(
            Stream.runForEach(indexer.progress(id), (event) => {
              seen.push(event)
              return Deferred.await(done)
            }),
            { startImmediately: true }
          )
          const last = yield* Stream.runLast(indexer.progress(id))
          assert.strictEqual(last._tag === "Some" ? last.value.status : "none", "succeeded")
          yield* Deferred.succeed(done, undefined)
          yield* Fiber.join(slow)
          assert.strictEqual(seen.at(-1)?.status, "succeeded")
          // one in hand, and what the buffer keeps
          assert.isAtMost(seen.length, 34)
        })
      )
    }).pipe(Effect.scoped)
  )

  it.effect("of a run that is not known is NOT_FOUND", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      const error = yield* inSystem(
        world,
        Indexer.use((indexer) => Effect.flip(Stream.runCollect(indexer.progress("nobody"))))
      )
      assert.deepInclude(error, { _tag: "NotFound", id: "nobody" })
    }).pipe(Effect.scoped)
  )
})

describe("the line of a terminal", () => {
  const moment: IndexProgress = {
    runId: "r",
    status: "running",
    stage: "embed",
    counts: { ...emptyCounts, changed: 48, failed: 2, chunksNew: 120, embedded: 96 },
    filesTotal: 100,
    bytesTotal: 1_000,
    currentFile: null,
    etaMs: 7_400
  }
  const half = `${"█".repeat(12)}${"░".repeat(12)}`
  const cases: ReadonlyArray<readonly [string, Partial<IndexProgress>, string]> = [
    ["half way", {}, `${half} embed  48/100 files, 120 chunks, 96 embedded, 7 s left`],
    ["time left unknown", { etaMs: null }, `${half} embed  48/100 files, 120 chunks, 96 embedded`],
    ["almost there", { etaMs: 3 }, `${half} embed  48/100 files, 120 chunks, 96 embedded, 1 s left`],
    [
      "nothing found yet",
      { stage: "walk", filesTotal: 0, counts: emptyCounts, etaMs: null },
      `${"░".repeat(24)} walk   0/0 files, 0 chunks, 0 embedded`
    ],
    [
      "more done than expected",
      { filesTotal: 10, etaMs: null },
      `${"█".repeat(24)} embed  48/10 files, 120 chunks, 96 embedded`
    ]
  ]
  for (const [what, change, line] of cases) {
    it(what, () => {
      assert.strictEqual(describeProgress({ ...moment, ...change }), line)
    })
  }

  it("a terminal that tells no size is taken for one of 80 columns", () => {
    assert.deepStrictEqual([{ columns: 0 }, {}, { columns: 132 }].map(columnsOf), [80, 80, 132])
  })

  it("in a narrow terminal it gives up its bar before it is cut", () => {
    const text = " embed  48/100 files, 120 chunks, 96 embedded, 180 min left"
    const late = { ...moment, etaMs: 180 * 60_000 }
    assert.strictEqual(describeProgress(late, 79), `${"█".repeat(10)}${"░".repeat(10)}${text}`)
    assert.strictEqual(describeProgress(late, text.length), text)
    assert.strictEqual(describeProgress(late, 20), text.slice(0, 20))
  })

  it("the summary of a run counts the failures that it does not name", () => {
    const failures = Array.from({ length: 23 }, (_, n) => ({
      documentId: `docs/${n}.md`,
      stage: "load" as const,
      code: "DOCUMENT_REFUSED",
      message: "it is binary"
    }))
    const lines = describeRun({
      id: "r",
      status: "partial",
      startedAt: 0,
      endedAt: 1_000,
      sources: ["docs"],
      counts: emptyCounts,
      warnings: [],
      failures,
      skipped: []
    }).split("\n")
    assert.deepStrictEqual(lines.slice(21), [
      "failed: docs/19.md (load): it is binary",
      "… and 3 more failures, see --json"
    ])
  })
})
