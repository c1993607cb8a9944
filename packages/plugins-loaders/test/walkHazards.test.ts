import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { execFileSync } from "node:child_process"
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { join } from "node:path"
import { walkFolder } from "../src/walk/walkFolder.ts"
import { temporaryFolder, writeFiles } from "./temporaryFolder.ts"
import { fileAt, files, readText, select, skips, walk } from "./walking.ts"

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
      assert.deepStrictEqual(
        [refused.path, refused.reason],
        ["a.md", "it disappeared during the walk (ENOENT)"]
      )
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
        `the folder ${root} of the source "s": it disappeared during the walk (ENOENT)`
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
