import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import picomatch from "picomatch"
import { globMatcher } from "../../src/domain/glob.ts"

describe("globMatcher", () => {
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<string>, ReadonlyArray<string>]> = [
    ["*.md", ["a.md", ".md", ".hidden.md"], ["a/b.md", "a.mdx", "A.MD"]],
    ["*/**", ["docs", "docs/a"], []],
    ["docs/**/**", ["docs", "docs/a"], ["a"]],
    ["docs/**", ["docs", "docs/a", "docs/a/b.md", "docs/.git/x"], ["docsx", "a/docs/b"]],
    ["**/*.md", ["a.md", "a/b.md", "a/b/c.md"], ["a.txt", "a.md/b"]],
    ["**", ["a", "a/b/c"], []],
    ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a/xb", "b", "ab"]],
    ["a/*/b", ["a/x/b"], ["a/b", "a/x/y/b", "a//b"]],
    ["a?c", ["abc", "a🙂c"], ["ac", "a/c", "abbc"]],
    ["{guide,api}/*.{md,mdx}", ["guide/a.md", "api/b.mdx"], ["other/a.md", "guide/a.txt"]],
    ["a{b,{c,d}e}f", ["abf", "acef", "adef"], ["aef", "acf"]],
    ["[a-c]x[!0-9]", ["axy", "cxz"], ["dxy", "ax1", "ax/"]],
    ["\\*.md", ["*.md"], ["a.md"]],
    ["a+(b)", ["a+(b)"], ["ab"]],
    ["{a", ["{a"], ["a"]],
    ["[a", ["[a"], ["a"]],
    ["", [""], ["a"]],
    ["!a", ["!a"], ["b"]]
  ]
  for (const [glob, matching, others] of cases) {
    it(`the glob "${glob}"`, () => {
      const matches = globMatcher(glob)
      for (const path of matching) assert.isTrue(matches(path), path)
      for (const path of others) assert.isFalse(matches(path), path)
    })
  }

  it("agrees with picomatch", () => {
    const piece = fc.constantFrom("a", "b", ".", "md", "*", "?", "[ab]", "[^a]", "{a,b}", "{ab,.}")
    const segment = fc.oneof(
      { arbitrary: fc.constant("**"), weight: 1 },
      {
        arbitrary: fc
          .array(piece, { minLength: 1, maxLength: 4 })
          .map((pieces) => pieces.join("").replaceAll(/\*{2,}/g, "*"))
          // picomatch resolves these as names of folders
          .filter((text) => text !== "." && text !== ".."),
        weight: 3
      }
    )
    const glob = fc
      .array(segment, { minLength: 1, maxLength: 4 })
      .map((segments) => segments.join("/"))
      // picomatch takes the folder itself for "a/**", but not for "*/**"
      .filter((text) => !/\*(?:\/\*\*)+$/.test(text))
    const name = fc
      .array(fc.constantFrom("a", "b", ".", "m", "d"), { minLength: 1, maxLength: 4 })
      .map((letters) => letters.join(""))
      // picomatch wants a character after the dot of "*.*", but not of "a*.*"
      .filter((text) => !text.endsWith("."))
    const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"))
    fc.assert(
      fc.property(glob, path, (glob, path) => {
        assert.strictEqual(
          globMatcher(glob)(path),
          picomatch(glob, { dot: true })(path),
          `${glob} on ${path}`
        )
      }),
      { numRuns: 3000 }
    )
  })

  it("takes any text for a glob and for a path", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (glob, path) => {
        assert.isBoolean(globMatcher(glob)(path))
      })
    )
  })

  it("ends on globs that make a backtracking matcher run for hours", () => {
    const path = "a".repeat(1000)
    for (const glob of [
      `${"*a".repeat(100)}b`,
      `${"**/".repeat(100)}b`,
      `${"{a,aa}".repeat(100)}b`,
      `${"?*".repeat(100)}b`
    ]) {
      assert.isFalse(globMatcher(glob)(path))
    }
  })
})
