import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import * as fc from "fast-check"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { walkFolder } from "../src/walk/walkFolder.ts"
import { temporaryFolder, writeFiles } from "./temporaryFolder.ts"
import { files, select, skips, walk } from "./walking.ts"

describe("order", () => {
  it.effect("is that of the UTF-16 code units of the whole paths", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const paths = ["a.md", "a/b.md", "a-b/c.md", "a0.md", "a/b/c.md", "B.md", "é.md", "z/y/x.md", "a b.md"]
      yield* writeFiles(root, Object.fromEntries(paths.map((path) => [path, path])))
      assert.deepStrictEqual(files(yield* walk(root)), paths.toSorted())
    })
  )

  it.effect("holds for any tree, and every file comes once", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(fc.array(fc.stringMatching(/^[-a .0A~]{1,3}$/), { minLength: 1, maxLength: 3 }), {
            selector: (path) => path.join("/"),
            maxLength: 12
          }),
          (trees) =>
            Effect.runPromise(
              Effect.scoped(
                Effect.gen(function* () {
                  const root = yield* temporaryFolder
                  // folders and files never share a name: a folder ends with d, a file with .md
                  const paths = trees.map(
                    (tree) =>
                      `${tree
                        .slice(0, -1)
                        .map((part) => `${part}d/`)
                        .join("")}${tree.at(-1)}.md`
                  )
                  yield* writeFiles(root, Object.fromEntries(paths.map((path) => [path, "x"])))
                  assert.deepStrictEqual(files(yield* walk(root)), [...new Set(paths)].toSorted())
                })
              )
            )
        ),
        { numRuns: 50 }
      )
    )
  )

  it.effect("is lazy: what is not asked for is not looked at", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* writeFiles(root, { "a/a.md": "a", "b/b.md": "b" })
      const taken = yield* walkFolder("s", root, select()).pipe(
        Stream.tap(() => Effect.promise(() => rm(join(root, "b"), { recursive: true, force: true }))),
        Stream.runCollect
      )
      assert.deepStrictEqual(files(taken), ["a/a.md"])
      assert.deepStrictEqual(skips(taken), { "b/": "it disappeared during the walk (ENOENT)" })
    })
  )

  it.effect("folders of more files than a batch come out whole", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const paths = Array.from({ length: 300 }, (_, index) => `f${String(index).padStart(3, "0")}.md`)
      yield* writeFiles(root, Object.fromEntries(paths.map((path) => [path, ""])))
      assert.deepStrictEqual(files(yield* walk(root)), paths)
    })
  )
})
