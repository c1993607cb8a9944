import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { allIds, batchOf, unit } from "@omnirag/core/testing"
import { session } from "./store.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const root = temporaryFolder()
const program = fileURLToPath(new URL("./writeForever.ts", import.meta.url))

/** Runs the writer, kills it as soon as it has acknowledged so many rounds, and gives the last one. */
const killAfter = (folder: string, rounds: number) =>
  Effect.callback<number>((resume) => {
    const child = spawn(process.execPath, [program, folder], { stdio: ["ignore", "pipe", "inherit"] })
    let last = -1
    let seen = 0
    createInterface({ input: child.stdout }).on("line", (line) => {
      last = Number(line)
      if (++seen >= rounds) child.kill("SIGKILL")
    })
    child.on("close", () => resume(Effect.succeed(last)))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

describe("a process killed while it saves", () => {
  it.live("leaves one whole round, and no older one than it acknowledged", () =>
    Effect.gen(function* () {
      const folder = join(root, "killed")
      for (const rounds of [1, 2, 5, 9, 14]) {
        const acknowledged = yield* killAfter(folder, rounds)
        const ids = yield* session(folder, allIds)
        assert.strictEqual(ids.length, 200)
        const found = new Set(ids.map((id) => Number(id.split("-")[0])))
        assert.strictEqual(found.size, 1)
        for (const round of found) assert.isAtLeast(round, acknowledged)
      }
    })
  )
})

const small = join(root, "small disk")
mkdirSync(small)
const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", small]).status === 0

describe.skipIf(!mounted)(`a full disk${mounted ? "" : " (skipped: no right to mount a small one)"}`, () => {
  it.live("is a typed error; the old files stay usable, memory keeps the rows, room lets the save pass", () =>
    Effect.gen(function* () {
      const row = (i: number) => ({ id: `row${i}`, vector: unit(1, i, 0, 0) })
      yield* session(small, (store) =>
        Effect.gen(function* () {
          yield* store.upsert(batchOf([row(0), row(1)]))
          yield* store.flush
          yield* store.upsert(batchOf(Array.from({ length: 2000 }, (_, i) => row(i + 2))))
          const error = yield* Effect.flip(store.flush)
          assert.strictEqual(error.reason, "unavailable")
          assert.include(error.message, "the disk is full")
          assert.strictEqual(yield* store.count(), 2002)
        })
      )
      assert.deepStrictEqual(yield* session(small, allIds), ["row0", "row1"])
      yield* session(small, (store) =>
        Effect.gen(function* () {
          yield* store.upsert(batchOf(Array.from({ length: 2000 }, (_, i) => row(i + 2))))
          yield* Effect.flip(store.flush)
          spawnSync("mount", ["-o", "remount,size=8m", small])
          yield* store.flush
        })
      )
      assert.strictEqual(yield* session(small, (store) => store.count()), 2002)
    }).pipe(Effect.ensuring(Effect.sync(() => spawnSync("umount", [small]))))
  )
})
