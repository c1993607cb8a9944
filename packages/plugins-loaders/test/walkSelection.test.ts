import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { temporaryFolder, writeFiles } from "./temporaryFolder.ts"
import { files, skips, walk } from "./walking.ts"

describe("selection", () => {
  it.effect("takes markdown and text with endings in any case, and not the rest", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* writeFiles(root, {
        "README.MD": "",
        "a.markdown": "",
        "b.mdx": "",
        "c.txt": "",
        "d.png": "",
        ".hidden/e.md": "",
        md: "",
        ".md": ""
      })
      const entries = yield* walk(root)
      assert.deepStrictEqual(files(entries), [
        ".hidden/e.md",
        ".md",
        "README.MD",
        "a.markdown",
        "b.mdx",
        "c.txt"
      ])
      assert.deepStrictEqual(skips(entries), {})
    })
  )

  it.effect("skips the folders of tools quietly, work and obsolete with a word, at any depth", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const quiet = [".git", "__pycache__", "node_modules", ".venv", "venv", ".pytest_cache"]
      yield* writeFiles(
        root,
        Object.fromEntries(
          [...quiet, "work", "obsolete"].flatMap((name) => [
            [`${name}/a.md`, ""],
            [`docs/${name}/b.md`, ""]
          ])
        )
      )
      yield* writeFiles(root, { "workshop/c.md": "", "docs/work.md": "" })
      const entries = yield* walk(root)
      assert.deepStrictEqual(files(entries), ["docs/work.md", "workshop/c.md"])
      assert.deepStrictEqual(skips(entries), {
        "docs/obsolete/": 'the option skipFolders has "obsolete"',
        "docs/work/": 'the option skipFolders has "work"',
        "obsolete/": 'the option skipFolders has "obsolete"',
        "work/": 'the option skipFolders has "work"'
      })
    })
  )

  it.effect("enters other folders when told, but never .git", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* writeFiles(root, { "work/a.md": "", ".git/b.md": "", "drafts/c.md": "" })
      assert.deepStrictEqual(files(yield* walk(root, { skipFolders: ["drafts"] })), ["work/a.md"])
    })
  )

  it.effect("reports what exclude takes away; a folder as one entry", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* writeFiles(root, {
        "a.md": "",
        "docs/x.md": "",
        "docs/y.md": "",
        "CHANGELOG.md": "",
        "e.txt": ""
      })
      const entries = yield* walk(root, {
        include: ["**/*.md"],
        exclude: ["docs/**", "**/CHANGELOG.md", "**/*.txt"]
      })
      assert.deepStrictEqual(files(entries), ["a.md"])
      assert.deepStrictEqual(skips(entries), {
        "docs/": 'the option exclude has "docs/**"',
        "CHANGELOG.md": 'the option exclude has "**/CHANGELOG.md"'
      })
    })
  )

  it.effect("reports files above maxBytes and takes those of exactly that size", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* writeFiles(root, { "exact.md": "12345", "more.md": "123456" })
      const entries = yield* walk(root, { maxBytes: 5 })
      assert.deepStrictEqual(files(entries), ["exact.md"])
      assert.deepStrictEqual(skips(entries), {
        "more.md": "it has 6 bytes, more than the option maxBytes allows (5)"
      })
    })
  )
})

describe(".gitignore", () => {
  it.effect("counts as in git: nested files, negation, anchors, folders, case", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* writeFiles(root, {
        ".gitignore": "/build/\n*.tmp.md\n!keep.tmp.md\nsub/deep/\n# comment.md\nOut.md\n",
        "build/a.md": "",
        "x/build/b.md": "",
        "a.tmp.md": "",
        "keep.tmp.md": "",
        "out.md": "",
        "comment.md": "",
        "sub/.gitignore": "!deep/\n*.md\n!b.md\n",
        "sub/a.md": "",
        "sub/b.md": "",
        "sub/deep/b.md": ""
      })
      const entries = yield* walk(root)
      execFileSync("git", ["init", "-q", root])
      const git = execFileSync(
        "git",
        ["-C", root, "ls-files", "-z", "--others", "--exclude-standard", "*.md"],
        {
          encoding: "utf8"
        }
      )
      assert.deepStrictEqual(files(entries), git.split("\0").filter(Boolean).toSorted())
      assert.deepStrictEqual(skips(entries), {
        "a.tmp.md": ".gitignore ignores it",
        "build/": ".gitignore ignores it",
        "sub/a.md": "sub/.gitignore ignores it"
      })
      assert.include(files(yield* walk(root, {}, false)), "build/a.md")
    })
  )

  it.effect("is reported when it cannot be used", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* writeFiles(root, { "!.md": "", "a.md": "", "sub/.gitignore/b.md": "" })
      execFileSync("mkfifo", [join(root, ".gitignore")])
      const entries = yield* walk(root)
      assert.deepStrictEqual(
        entries.map((entry) => entry.path),
        ["!.md", ".gitignore", "a.md", "sub/.gitignore/b.md"]
      )
      assert.deepStrictEqual(skips(entries), {
        ".gitignore": "its rules do not count: it is not a regular file"
      })
    })
  )
})
