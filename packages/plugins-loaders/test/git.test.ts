import { SourceProvider } from "@omnirag/core/app"
import { sourceConformance } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync } from "node:fs"
import { chmod, rename, rm, symlink } from "node:fs/promises"
import { createServer, type Socket } from "node:net"
import { join } from "node:path"
import { gitPlugin } from "./gitPlugin.ts"
import { temporaryFolder, writeFiles } from "./temporaryFolder.ts"

const providerOf = (options: unknown) =>
  Effect.map(Layer.build(gitPlugin.build(options)), (context) => Context.get(context, SourceProvider))

const run = (folder: string, ...args: ReadonlyArray<string>) =>
  execFileSync(
    "git",
    ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always", ...args],
    { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }
  ).trim()

const commit = (folder: string) => {
  run(folder, "add", "-A")
  run(folder, "commit", "--quiet", "--allow-empty", "-m", "x")
  return run(folder, "rev-parse", "HEAD")
}

/** A remote repository with some files, a folder for clones, and a provider that reads the one through the other. */
const fixture = Effect.fnUntraced(function* (
  files: Readonly<Record<string, string | Uint8Array>>,
  options: Readonly<Record<string, unknown>> = {}
) {
  const folder = yield* temporaryFolder
  const remote = join(folder, "remote")
  const cache = join(folder, "cache")
  yield* writeFiles(remote, { "README.md": "# Read me\n", ...files })
  run(remote, "init", "--quiet", "--initial-branch=main")
  const revision = commit(remote)
  const provider = yield* Effect.orDie(
    providerOf({ url: `file://${remote}`, name: "docs", cache, allowLocal: true, ...options })
  )
  return { folder, remote, cache, revision, provider }
})

const openOne = Effect.fnUntraced(function* (provider: SourceProvider["Service"]) {
  const opened = yield* provider.open
  const [source] = opened.sources
  assert(source !== undefined && opened.sources.length === 1)
  const entries = yield* Stream.runCollect(source.entries)
  const files = entries.filter((entry) => entry._tag === "File")
  const texts = yield* Effect.forEach(files, (file) =>
    Effect.map(file.read, (bytes) => [file.path, new TextDecoder().decode(bytes)] as const)
  )
  return { source, entries, texts: Object.fromEntries(texts), warnings: opened.warnings ?? [] }
})

sourceConformance({
  name: "git",
  live: false,
  make: Effect.gen(function* () {
    const { provider, remote } = yield* fixture({})
    yield* Effect.promise(() => rm(join(remote, "README.md")))
    commit(remote)
    return {
      provider,
      write: (path, bytes) =>
        Effect.andThen(
          writeFiles(remote, { [path]: bytes }),
          Effect.sync(() => commit(remote))
        ),
      remove: (path) =>
        Effect.andThen(
          Effect.promise(() => rm(join(remote, path))),
          Effect.sync(() => commit(remote))
        )
    }
  })
})

describe("git", () => {
  it.effect("gives the newest revision each time, and touches only the files that changed", () =>
    Effect.gen(function* () {
      const { provider, remote, revision } = yield* fixture({ "docs/a.md": "one", "b.md": "same" })
      const first = yield* openOne(provider)
      assert.strictEqual(first.source.revision, revision)
      assert.strictEqual(first.source.location, `file://${remote}`)
      assert.deepStrictEqual(first.texts, { "README.md": "# Read me\n", "b.md": "same", "docs/a.md": "one" })
      yield* writeFiles(remote, { "docs/a.md": "two", "c.md": "new" })
      yield* Effect.promise(() => rm(join(remote, "README.md")))
      const newest = commit(remote)
      const second = yield* openOne(provider)
      assert.strictEqual(second.source.revision, newest)
      assert.deepStrictEqual(second.texts, { "b.md": "same", "c.md": "new", "docs/a.md": "two" })
      const modified = (opened: typeof first) =>
        opened.entries.flatMap((entry) =>
          entry._tag === "File" && entry.path === "b.md" ? [entry.modifiedAt] : []
        )
      assert.lengthOf(modified(first), 1)
      assert.deepStrictEqual(modified(second), modified(first))
    })
  )

  it.effect("takes a branch, a tag or a commit id", () =>
    Effect.gen(function* () {
      const { cache, provider, remote, revision } = yield* fixture({})
      run(remote, "tag", "v1")
      run(remote, "checkout", "--quiet", "-b", "feature/x")
      yield* writeFiles(remote, { "x.md": "x" })
      const feature = commit(remote)
      run(remote, "checkout", "--quiet", "main")
      const at = (ref: string) =>
        providerOf({ url: `file://${remote}`, name: "docs", cache, allowLocal: true, ref }).pipe(
          Effect.flatMap(openOne),
          Effect.map((opened) => opened.source.revision)
        )
      assert.strictEqual(yield* at("v1"), revision)
      assert.strictEqual(yield* at("feature/x"), feature)
      assert.strictEqual(yield* at(feature), feature)
      assert.strictEqual((yield* openOne(provider)).source.revision, revision)
    })
  )

  it.effect("when a fetch fails the last revision stays in use, restored, with a warning", () =>
    Effect.gen(function* () {
      const { cache, folder, provider, remote, revision } = yield* fixture({ "a.md": "one" })
      yield* openOne(provider)
      yield* Effect.promise(() => rename(remote, join(folder, "gone")))
      // what a checkout that was killed leaves behind
      const [clone] = readdirSync(cache).filter((name) => /^docs-[0-9a-f]+$/.test(name))
      assert(clone !== undefined)
      yield* writeFiles(join(cache, clone), { "a.md": "torn", "stray.md": "x", ".git/index.lock": "" })
      const kept = yield* openOne(provider)
      assert.strictEqual(kept.source.revision, revision)
      assert.deepStrictEqual(kept.texts, { "README.md": "# Read me\n", "a.md": "one" })
      assert.lengthOf(kept.warnings, 1)
      assert.match(
        kept.warnings[0] ?? "",
        /^the source "docs" stays at revision [0-9a-f]{12}: it cannot be fetched: fatal: /
      )
    })
  )

  it.effect("a clone that git cannot use is made anew", () =>
    Effect.gen(function* () {
      const { cache, provider, revision } = yield* fixture({ "a.md": "one" })
      yield* openOne(provider)
      const [clone] = readdirSync(cache).filter((name) => /^docs-[0-9a-f]+$/.test(name))
      assert(clone !== undefined)
      yield* Effect.promise(() => rm(join(cache, clone, ".git", "objects"), { recursive: true }))
      const again = yield* openOne(provider)
      assert.deepStrictEqual(
        [again.source.revision, again.texts["a.md"], again.warnings],
        [revision, "one", []]
      )
    })
  )

  it.effect("without a clone and without a remote there is one error, and no half clone", () =>
    Effect.gen(function* () {
      const { cache, provider, remote } = yield* fixture({})
      yield* Effect.promise(() => rm(remote, { recursive: true }))
      const error = yield* Effect.flip(provider.open)
      assert.match(
        error.message,
        /^the source "docs" cannot be fetched from file:\/\/.*: fatal: .*does not (appear|exist)/
      )
      // and the lock, which nobody holds
      assert.match(readdirSync(cache).join(), /^\.gitignore,docs-[0-9a-f]+\.writer$/)
    })
  )

  it.effect("runs no hooks, follows no submodules, and contains links", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const evidence = join(folder, "evidence")
      yield* writeFiles(join(folder, "template"), { "hooks/post-checkout": `#!/bin/sh\ntouch ${evidence}\n` })
      yield* Effect.promise(() => chmod(join(folder, "template/hooks/post-checkout"), 0o755))
      yield* writeFiles(folder, {
        gitconfig: `[init]\n\ttemplateDir = ${folder}/template\n[core]\n\thooksPath = ${folder}/template/hooks\n`
      })
      yield* writeFiles(join(folder, "sub"), { "inner.md": "inner" })
      run(join(folder, "sub"), "init", "--quiet")
      commit(join(folder, "sub"))
      const { provider, remote } = yield* fixture({ "real.md": "real" })
      run(remote, "submodule", "--quiet", "add", `file://${folder}/sub`, "module")
      yield* Effect.promise(async () => {
        await symlink("real.md", join(remote, "inside.md"))
        await symlink("/etc/passwd", join(remote, "outside.md"))
        await symlink(".git/config", join(remote, "config.md"))
      })
      commit(remote)
      const before = process.env["GIT_CONFIG_GLOBAL"]
      process.env["GIT_CONFIG_GLOBAL"] = join(folder, "gitconfig")
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          if (before === undefined) delete process.env["GIT_CONFIG_GLOBAL"]
          else process.env["GIT_CONFIG_GLOBAL"] = before
        })
      )
      const opened = yield* openOne(provider)
      assert.deepStrictEqual(Object.keys(opened.texts), ["README.md", "inside.md", "real.md"])
      assert.deepStrictEqual(
        opened.entries.filter((entry) => entry._tag === "Skip").map(({ path, reason }) => [path, reason]),
        [
          ["config.md", 'it is a link into the skipped folder ".git"'],
          ["outside.md", "it is a link out of the source"]
        ]
      )
      assert.isFalse(existsSync(evidence))
    })
  )

  it.effect("files that the repository's own .gitignore names but tracks are taken", () =>
    Effect.gen(function* () {
      const { provider, remote } = yield* fixture({ "generated/api.md": "api" })
      yield* writeFiles(remote, { ".gitignore": "generated/\n" })
      commit(remote)
      assert.deepStrictEqual(Object.keys((yield* openOne(provider)).texts), ["README.md", "generated/api.md"])
    })
  )

  it.effect("another live process keeps its clone to itself; a dead one's lock is taken over", () =>
    Effect.gen(function* () {
      const { cache, provider, remote, revision } = yield* fixture({})
      yield* openOne(provider)
      const [clone] = readdirSync(cache).filter((name) => /^docs-[0-9a-f]+$/.test(name))
      const newest = commit(remote)
      const hold = `
        const { DatabaseSync } = require("node:sqlite")
        new DatabaseSync(process.argv[1]).exec("BEGIN IMMEDIATE")
        process.stdout.write("held")
        setInterval(() => {}, 1000)`
      const holder = spawn(process.execPath, ["-e", hold, join(cache, `${clone}.writer`)])
      const ended = once(holder, "exit")
      yield* Effect.promise(() => once(holder.stdout, "data"))
      const busy = yield* openOne(provider)
      assert.strictEqual(busy.source.revision, revision)
      assert.include(busy.warnings[0], "another process is using the clone")
      holder.kill("SIGKILL")
      yield* Effect.promise(() => ended)
      // whoever has its process number now
      assert.strictEqual((yield* openOne(provider)).source.revision, newest)
    })
  )

  /** A server that takes connections and never says a word. */
  const silentServer = Effect.gen(function* () {
    const connected = yield* Deferred.make<Socket>()
    const closed = yield* Deferred.make<void>()
    const server = createServer((socket) => {
      socket.resume()
      socket.on("error", () => socket.destroy())
      socket.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
      Deferred.doneUnsafe(connected, Effect.succeed(socket))
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
      () => Effect.sync(() => server.close())
    )
    const address = server.address()
    assert(typeof address === "object" && address !== null)
    return { connected, closed, port: address.port }
  })

  it.live("interruption ends git and what it has started", () =>
    Effect.gen(function* () {
      const server = yield* silentServer
      const cache = yield* temporaryFolder
      const provider = yield* providerOf({ url: `https://127.0.0.1:${server.port}/a/b.git`, cache })
      const fiber = yield* Effect.forkChild(provider.open)
      yield* Deferred.await(server.connected)
      yield* Fiber.interrupt(fiber)
      // only the end of the process that holds the connection closes it
      yield* Deferred.await(server.closed)
    })
  )

  it.live("a server that never answers ends with the time limit", () =>
    Effect.gen(function* () {
      const server = yield* silentServer
      const cache = yield* temporaryFolder
      const url = `https://127.0.0.1:${server.port}/a/b.git`
      const provider = yield* providerOf({ url, cache, timeoutSeconds: 1 })
      const error = yield* Effect.flip(provider.open)
      assert.strictEqual(
        error.message,
        `the source "b" cannot be fetched from ${url}: no end after 1 seconds`
      )
      yield* Deferred.await(server.closed)
    })
  )
})
