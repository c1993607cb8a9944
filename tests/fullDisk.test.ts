import { assert, describe, it } from "@effect/vitest"
import { GenerationReader } from "@omnirag/core/app"
import { Effect, Result } from "effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync, rmSync, statfsSync } from "node:fs"
import { join } from "node:path"
import {
  contents,
  inSystem,
  makeWorld,
  runIndex,
  searchPaths,
  temporaryFolder
} from "@omnirag/testkit/TestSystem"

const section = (title: string, words: string) =>
  `# ${title}\n\nThis section is about ${words} and nothing else.\n`

/** A small disk of its own; null where there is no right to mount one. */
const smallDisk = Effect.flatMap(temporaryFolder, (folder) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const disk = join(folder, "disk")
      mkdirSync(disk)
      return spawnSync("mount", ["-t", "tmpfs", "-o", "size=32m", "tmpfs", disk]).status === 0 ? disk : null
    }),
    (disk) => Effect.sync(() => (disk === null ? undefined : spawnSync("umount", ["-l", disk])))
  )
)
const canMount = await Effect.runPromise(Effect.scoped(Effect.map(smallDisk, (disk) => disk !== null)))

/** Takes all but this much of what is left. */
const fill = (disk: string, left: number): string => {
  const { bavail, bsize } = statfsSync(disk)
  const ballast = join(disk, "ballast")
  writeFileSync(ballast, Buffer.alloc(Math.max(0, bavail * bsize - left)))
  return ballast
}

describe.skipIf(!canMount)(
  `a disk that fills${canMount ? "" : " (skipped: no right to mount a small one)"}`,
  () => {
    for (const [left, more] of [
      [0, ""],
      [64 * 1024, ""],
      [300 * 1024, "embedder: { use: test, options: { model: two } }"],
      [1024 * 1024, "chunker: { use: markdown, options: { maxLength: 1500 } }"]
    ] as const) {
      it.effect(
        `with ${left / 1024} kB left${more === "" ? "" : ` while a new generation is built (${more})`}: the old index answers, the run says why, room lets the next one pass`,
        () =>
          Effect.gen(function* () {
            const disk = yield* smallDisk
            if (disk === null) return yield* Effect.die(new Error("it could be mounted a moment ago"))
            const made = yield* makeWorld
            const world = { ...made, data: join(disk, "data") }
            world.corpus.write("a.md", section("Alpha", "walruses"))
            yield* inSystem(world, runIndex())
            for (let n = 0; n < 150; n++) {
              world.corpus.write(`n${n}.md`, section(`Number ${n}`, `otters ${n} `.repeat(40)))
            }
            const ballast = yield* inSystem(
              world,
              Effect.gen(function* () {
                // a reader that is there when the disk fills goes on
                assert.strictEqual((yield* searchPaths("walruses"))[0], "a.md")
                const ballast = fill(disk, left)
                const ended = yield* Effect.result(runIndex())
                const message = Result.isFailure(ended)
                  ? ended.failure.message
                  : (ended.success.failures[0]?.message ?? "")
                assert.match(message, /disk is full|ENOSPC|disk I\/O|no space/i)
                if (Result.isSuccess(ended)) assert.strictEqual(ended.success.status, "partial")
                assert.strictEqual((yield* searchPaths("walruses", { mode: "vector" }))[0], "a.md")
                assert.strictEqual((yield* searchPaths("walruses", { mode: "lexical" }))[0], "a.md")
                return ballast
              }),
              more
            )
            rmSync(ballast)
            yield* inSystem(
              world,
              Effect.gen(function* () {
                assert.strictEqual((yield* runIndex()).status, "succeeded")
                const { chunkIds, counts, storeIds } = yield* contents
                assert.deepStrictEqual(storeIds, chunkIds)
                assert.strictEqual(counts.documents, 151)
                assert.strictEqual((yield* GenerationReader.use(({ live }) => live)).fault, null)
              }),
              more
            )
          }).pipe(Effect.scoped)
      )
    }
  }
)

const readOnlyMount = (disk: string, option: "ro" | "rw") =>
  Effect.sync(() => spawnSync("mount", ["-o", `remount,${option}`, disk]).status === 0)

describe.skipIf(!canMount)(
  `a folder that may not be written${canMount ? "" : " (skipped: no right to mount one)"}`,
  () => {
    it.effect("the run fails with the cause, nothing is lost, and permission lets the next one pass", () =>
      Effect.gen(function* () {
        const disk = yield* smallDisk
        if (disk === null) return yield* Effect.die(new Error("it could be mounted a moment ago"))
        const made = yield* makeWorld
        const world = { ...made, data: join(disk, "data") }
        world.corpus.write("a.md", section("Alpha", "walruses"))
        yield* inSystem(world, runIndex())
        world.corpus.write("b.md", section("Beta", "otters"))
        assert.isTrue(yield* readOnlyMount(disk, "ro"))
        const error = yield* Effect.flip(inSystem(world, runIndex()))
        assert.match(error.message, /reading only|read-only|EROFS|permission/i)
        assert.isTrue(yield* readOnlyMount(disk, "rw"))
        yield* inSystem(
          world,
          Effect.gen(function* () {
            assert.strictEqual((yield* runIndex()).status, "succeeded")
            assert.strictEqual((yield* contents).storeIds.length, 2)
          })
        )
      }).pipe(Effect.scoped)
    )
  }
)
