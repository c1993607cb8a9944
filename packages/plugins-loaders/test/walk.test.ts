import type { SourceEntry, SourceFile } from "@omnirag/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import * as fc from "fast-check"
import { execFileSync } from "node:child_process"
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { compileSelection, selectionOptions } from "../src/walk/Selection.ts"
import { walkFolder } from "../src/walk/walkFolder.ts"
import { temporaryFolder, writeFiles } from "./temporaryFolder.ts"

const select = (options: unknown = {}, gitignore = true) =>
  compileSelection({ ...Schema.decodeUnknownSync(Schema.Struct(selectionOptions))(options), gitignore })

const walk = (root: string, options?: unknown, gitignore?: boolean) =>
  Stream.runCollect(walkFolder("s", root, select(options, gitignore)))

const files = (entries: ReadonlyArray<SourceEntry>) =>
  entries.filter((entry) => entry._tag === "File").map((entry) => entry.path)

const skips = (entries: ReadonlyArray<SourceEntry>) =>
  Object.fromEntries(entries.flatMap((entry) => (entry._tag === "Skip" ? [[entry.path, entry.reason]] : [])))

const fileAt = (entries: ReadonlyArray<SourceEntry>, path: string): SourceFile => {
  const found = entries.find((entry) => entry.path === path)
  assert(found?._tag === "File", `${path} is no file of the walk`)
  return found
}

const readText = (file: SourceFile) => Effect.map(file.read, (bytes) => new TextDecoder().decode(bytes))

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
      assert.deepStrictEqual(skips(taken), { "b/": "it vanished during the walk (ENOENT)" })
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

describe("links and special files", () => {
  it.effect("follows links to files inside the root only", () =>
    Effect.gen(function* () {
      const outside = yield* temporaryFolder
      const root = yield* temporaryFolder
      yield* writeFiles(outside, { "secret.md": "secret", "folder/x.md": "secret" })
      yield* writeFiles(root, { "docs/real.md": "real", ".git/config": "token" })
      yield* Effect.promise(async () => {
        await symlink(join(root, "docs/real.md"), join(root, "absolute.md"))
        await symlink("docs/real.md", join(root, "inside.md"))
        await symlink(join(outside, "secret.md"), join(root, "outside.md"))
        await symlink("../../../../../../../../etc/passwd", join(root, "passwd.md"))
        await symlink(".git/config", join(root, "config.md"))
        await symlink("nowhere", join(root, "broken.md"))
        await symlink("nowhere", join(root, "broken.png"))
        await symlink("loop2.md", join(root, "loop1.md"))
        await symlink("loop1.md", join(root, "loop2.md"))
        await symlink(".", join(root, "self"))
        await symlink(join(outside, "folder"), join(root, "out"))
        await symlink("/dev/zero", join(root, "zero.md"))
      })
      const entries = yield* walk(root)
      assert.deepStrictEqual(files(entries), ["absolute.md", "docs/real.md", "inside.md"])
      assert.strictEqual(yield* readText(fileAt(entries, "inside.md")), "real")
      assert.deepStrictEqual(skips(entries), {
        "broken.md": "it is a link to nothing",
        "config.md": 'it is a link into the skipped folder ".git"',
        "loop1.md": "its links form a loop (ELOOP)",
        "loop2.md": "its links form a loop (ELOOP)",
        out: "links to folders are not followed",
        "outside.md": "it is a link out of the source",
        "passwd.md": "it is a link out of the source",
        self: "links to folders are not followed",
        "zero.md": "it is a link out of the source"
      })
    })
  )

  it.effect("the root itself may be a link", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* writeFiles(folder, { "real/a.md": "a" })
      yield* Effect.promise(() => symlink("real", join(folder, "current")))
      const entries = yield* walk(join(folder, "current"))
      assert.strictEqual(yield* readText(fileAt(entries, "a.md")), "a")
    })
  )

  it.effect("reports pipes and sockets without waiting for them", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      execFileSync("mkfifo", [join(root, "pipe.md"), join(root, "pipe.png")])
      yield* Effect.acquireRelease(
        Effect.promise(
          () =>
            new Promise<ReturnType<typeof createServer>>((resolve) => {
              const server = createServer().listen(join(root, "socket.md"), () => resolve(server))
            })
        ),
        (server) => Effect.sync(() => server.close())
      )
      assert.deepStrictEqual(skips(yield* walk(root)), {
        "pipe.md": "it is a named pipe",
        "socket.md": "it is a socket"
      })
    })
  )
})

describe("odd names", () => {
  it.effect("takes newlines, spaces, quotes, backslashes and replacement characters as they are", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const names = [
        "a\nb.md",
        " .md",
        'it\'s "x".md',
        "back\\slash.md",
        "\uFFFD.md",
        "🧬.md",
        "-rf.md",
        "..x.md"
      ]
      yield* writeFiles(root, Object.fromEntries(names.map((name) => [name, name])))
      const entries = yield* walk(root)
      assert.deepStrictEqual(files(entries), names.toSorted())
      for (const name of names) assert.strictEqual(yield* readText(fileAt(entries, name)), name)
    })
  )

  it.effect("reports names that are not UTF-8 and goes on", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const bytes = (name: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, "latin1")])
      yield* Effect.promise(async () => {
        await writeFile(bytes("caf\xe9.md"), "x")
        await writeFile(bytes("caf\xe9.png"), "x")
        await mkdir(bytes("d\xe9"))
        await writeFile(Buffer.concat([bytes("d\xe9"), Buffer.from("/inner.md")]), "x")
      })
      yield* writeFiles(root, { "ok.md": "ok" })
      const entries = yield* walk(root)
      assert.deepStrictEqual(files(entries), ["ok.md"])
      assert.deepStrictEqual(skips(entries), {
        "caf\uFFFD.md": "its name is not valid UTF-8",
        "d\uFFFD": "its name is not valid UTF-8"
      })
    })
  )
})

describe("a disk that changes", () => {
  it.effect("a file that vanishes after the walk is refused when read", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* writeFiles(root, { "a.md": "a" })
      const file = fileAt(yield* walk(root), "a.md")
      yield* Effect.promise(() => rm(join(root, "a.md")))
      const refused = yield* Effect.flip(file.read)
      assert.deepStrictEqual([refused.path, refused.reason], ["a.md", "it vanished during the walk (ENOENT)"])
    })
  )

  it.effect("a file or folder that becomes a link out of the root, a pipe, or too large is refused", () =>
    Effect.gen(function* () {
      const outside = yield* temporaryFolder
      const root = yield* temporaryFolder
      yield* writeFiles(outside, { "secret.md": "secret" })
      yield* writeFiles(root, { "link.md": "", "pipe.md": "", "large.md": "", "d/secret.md": "" })
      const entries = yield* walk(root, { maxBytes: 10 })
      yield* Effect.promise(async () => {
        await rm(join(root, "link.md"))
        await symlink(join(outside, "secret.md"), join(root, "link.md"))
        await rm(join(root, "pipe.md"))
        execFileSync("mkfifo", [join(root, "pipe.md")])
        await writeFile(join(root, "large.md"), "12345678901")
        await rename(join(root, "d"), join(root, "e"))
        await symlink(outside, join(root, "d"))
      })
      const reason = (path: string) =>
        Effect.map(Effect.flip(fileAt(entries, path).read), (refused) => refused.reason)
      assert.strictEqual(yield* reason("link.md"), "it is a link out of the source")
      assert.strictEqual(yield* reason("d/secret.md"), "it is a link out of the source")
      assert.strictEqual(yield* reason("pipe.md"), "it is not a regular file")
      assert.strictEqual(
        yield* reason("large.md"),
        "it has 11 bytes, more than the option maxBytes allows (10)"
      )
    })
  )

  it.effect("a root that vanishes is an error, not an empty source", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const root = join(folder, "root")
      yield* writeFiles(root, { "a.md": "a", "b/c.md": "c" })
      const error = yield* walkFolder("s", root, select()).pipe(
        Stream.tap(() => Effect.promise(() => rm(root, { recursive: true, force: true }))),
        Stream.runCollect,
        Effect.flip
      )
      assert.strictEqual(
        error.message,
        `the folder ${root} of the source "s": it vanished during the walk (ENOENT)`
      )
    })
  )

  const isRoot = process.getuid?.() === 0
  it.effect.skipIf(isRoot)("an unreadable folder is reported (not run as root, who can read all)", () =>
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      yield* writeFiles(root, { "a.md": "a", "b/c.md": "c" })
      execFileSync("chmod", ["000", join(root, "b"), join(root, "a.md")])
      yield* Effect.addFinalizer(() => Effect.sync(() => execFileSync("chmod", ["700", join(root, "b")])))
      const entries = yield* walk(root)
      assert.deepStrictEqual(
        entries.filter((entry) => entry._tag === "Skip"),
        [{ _tag: "Skip", path: "b/", reason: "permission denied (EACCES)", unreadable: true }]
      )
      const refused = yield* Effect.flip(fileAt(entries, "a.md").read)
      assert.strictEqual(refused.reason, "permission denied (EACCES)")
    })
  )
})
