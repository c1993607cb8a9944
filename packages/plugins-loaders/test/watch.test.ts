import { assert, describe, it } from "@effect/vitest"
import { Effect, Queue, Schema, Stream } from "effect"
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { compileSelection, selectionOptions } from "../src/walk/Selection.ts"
import { watchFolder } from "../src/watch/watchFolder.ts"
import { temporaryFolder, writeFiles } from "./temporaryFolder.ts"

const selection = compileSelection({
  ...Schema.decodeSync(Schema.Struct(selectionOptions))({}),
  gitignore: true
})

/** Watches a folder; `after` makes a change and waits for an event that comes later. */
const watched = Effect.fnUntraced(function* (root: string) {
  const events = yield* Queue.unbounded<void>()
  yield* watchFolder("s", root, selection).pipe(
    Stream.runForEach((event) => Queue.offer(events, event)),
    Effect.forkScoped
  )
  yield* Queue.take(events)
  return Effect.fnUntraced(function* (change: () => Promise<unknown>) {
    yield* Queue.clear(events)
    yield* Effect.promise(change)
    yield* Queue.take(events)
    return "told"
  })
})

describe("watching", () => {
  const changes: ReadonlyArray<readonly [name: string, change: (root: string) => Promise<unknown>]> = [
    ["a file that is written", (root) => writeFile(join(root, "a.md"), "new")],
    ["a file that is written far below", (root) => writeFile(join(root, "b/c/d.md"), "new")],
    ["a file that is new", (root) => writeFile(join(root, "b/new.md"), "new")],
    ["a file that goes", (root) => rm(join(root, "b/c/d.md"))],
    ["a file that is renamed", (root) => rename(join(root, "a.md"), join(root, "z.md"))],
    ["a file that is replaced, as editors do", (root) => rename(join(root, "b/tmp"), join(root, "a.md"))],
    ["a link that is new", (root) => symlink("a.md", join(root, "link.md"))],
    ["a folder that is new", (root) => mkdir(join(root, "new"))],
    ["a folder that goes", (root) => rm(join(root, "b"), { recursive: true })],
    ["a folder that is moved", (root) => rename(join(root, "b/c"), join(root, "moved"))],
    ["rules that change", (root) => writeFile(join(root, ".gitignore"), "b/\n")]
  ]
  for (const [name, change] of changes) {
    it.live(`emits after ${name}`, () =>
      Effect.gen(function* () {
        const root = yield* temporaryFolder
        yield* writeFiles(root, { "a.md": "a", "b/c/d.md": "d", "b/tmp": "" })
        const after = yield* watched(root)
        assert.strictEqual(yield* after(() => change(root)), "told")
      })
    )
  }

  it.live("follows folders that are made, moved and made again under an old name", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const after = yield* watched(root)
      const told = [
        // the event for a folder comes when it is watched, so that a file in it is noticed from then on
        yield* after(() => mkdir(join(root, "x/y"), { recursive: true })),
        yield* after(() => writeFile(join(root, "x/y/a.md"), "a")),
        yield* after(() => rename(join(root, "x"), join(root, "w"))),
        yield* after(() => mkdir(join(root, "x/y"), { recursive: true })),
        yield* after(() => writeFile(join(root, "x/y/a.md"), "a")),
        yield* after(() => writeFile(join(root, "w/y/a.md"), "b"))
      ]
      assert.lengthOf(told, 6)
    })
  )

  it.live("is silent about what a walk leaves out", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const root = join(folder, "root")
      yield* writeFiles(root, {
        ".gitignore": "ignored/\n",
        "a.md": "a",
        "ignored/i.md": "",
        "node_modules/n.md": "",
        ".git/index": "",
        "data/db.sqlite": ""
      })
      const events: Array<void> = []
      const leftOut = {
        "ignored/i.md": "x",
        "ignored/new/j.md": "x",
        "node_modules/n.md": "x",
        ".git/index": "x",
        "data/db.sqlite": "x",
        "data/new.sqlite": "x"
      }
      // notices come in order: when that of the move is here, which ends the watching, so are all before it
      yield* watchFolder("s", root, selection).pipe(
        Stream.runForEach((event) => {
          events.push(event)
          return Effect.andThen(
            writeFiles(root, leftOut),
            Effect.promise(() => rename(root, join(folder, "moved")))
          )
        }),
        Effect.flip
      )
      assert.lengthOf(events, 1)
    })
  )

  it.live("ends with an error when the root goes", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const root = join(folder, "root")
      yield* writeFiles(root, { "a/b.md": "" })
      const error = yield* watchFolder("s", root, selection).pipe(
        Stream.runForEach(() => Effect.promise(() => rm(root, { recursive: true, force: true }))),
        Effect.flip
      )
      assert.strictEqual(
        error.message,
        `the folder ${root} of the source "s": it disappeared during the walk (ENOENT)`
      )
    })
  )

  it.live("fails at once when there is no root", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const error = yield* Effect.flip(Stream.runDrain(watchFolder("s", join(folder, "none"), selection)))
      assert.strictEqual(error._tag, "SourceError")
    })
  )
})
