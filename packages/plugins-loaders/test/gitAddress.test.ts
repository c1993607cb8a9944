import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { refFault, repositoryName, urlFault } from "../src/git/gitAddress.ts"
import { gitPlugin } from "./gitPlugin.ts"

describe("what may be fetched", () => {
  const allowed = [
    "https://example.org/a/b.git",
    "https://example.org:8443/a",
    "ssh://git@example.org:22/a/b.git",
    "git@github.com:owner/name.git",
    "me@host:~/repo"
  ]
  for (const url of allowed) it(`${url} may`, () => assert.isUndefined(urlFault(url, false)))

  const refused = [
    "http://example.org/a",
    "git://example.org/a",
    "ftp://example.org/a",
    "https://user:secret@example.org/a",
    "https://token@example.org/a",
    "ssh://git:secret@example.org/a",
    "https://example.org/a?private_token=secret",
    "https://example.org/a#secret",
    "ssh://-oProxyCommand=x/a",
    "ext::sh -c touch% /tmp/x",
    "ext::sh",
    "fd::17",
    "https::https://example.org",
    "file:///etc",
    "/etc",
    "./a",
    "a/b",
    "host:path",
    "-u",
    "--upload-pack=x",
    "-x@host:path",
    "git@-oProxyCommand=x:path",
    "git@host::path",
    "git@host:a b",
    "https://example.org/a\nb",
    ""
  ]
  for (const url of refused) it(`${JSON.stringify(url)} may not`, () => assert.isString(urlFault(url, false)))

  it("file:// may with allowLocal, without a host", () => {
    assert.isUndefined(urlFault("file:///srv/a", true))
    assert.isString(urlFault("file://host/a", true))
  })

  for (const ref of [
    "main",
    "feature/x",
    "v1.2.3",
    "release-1",
    "größe",
    "0123456789abcdef0123456789abcdef01234567"
  ])
    it(`ref ${ref} may`, () => assert.isUndefined(refFault(ref)))
  for (const ref of [
    "-f",
    "--upload-pack=x",
    "+main",
    "a:b",
    "a..b",
    "a b",
    "HEAD~1",
    "HEAD^",
    "a@{1}",
    "/a",
    "a/",
    "a.lock",
    "*",
    "a\nb"
  ])
    it(`ref ${JSON.stringify(ref)} may not`, () => assert.isString(refFault(ref)))

  it("names come from the last part of the URL", () => {
    assert.strictEqual(repositoryName("https://example.org/a/b.git"), "b")
    assert.strictEqual(repositoryName("https://example.org/a/b.js/"), "b.js")
    assert.strictEqual(repositoryName("git@host:b.git"), "b")
    assert.strictEqual(repositoryName("https://example.org/"), "")
  })

  it.effect("faults of the options come with their paths", () =>
    Effect.gen(function* () {
      const faults = yield* gitPlugin.check({ url: "https://x:y@example.org/a", ref: "-f" })
      assert.deepStrictEqual(faults, [
        {
          path: "url",
          message: "the URL holds a password; leave it to git's credential helpers or an SSH key"
        },
        { path: "ref", message: '"-f" is not the name of a branch or tag, nor a commit id' }
      ])
      assert.deepStrictEqual(yield* gitPlugin.check({ url: "https://example.org/" }), [
        { path: "name", message: "the URL does not tell a name; give one" }
      ])
    })
  )
})
