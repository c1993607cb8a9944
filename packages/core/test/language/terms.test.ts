import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { analyze, maximumTermLength, queryTerms } from "../../src/language/terms.ts"

describe("analyze", () => {
  it.each<[text: string, terms: string]>([
    ["The engines were running, engine by engine.", "the engin were run engin by engin"],
    ["parseHTTPConfig", "pars http config parsehttpconfig"],
    ["GPUs, APIs and the GPU's API", "gpu api and the gpu api"],
    ["parseURLs IDsOf HTTPSettings", "pars url parseurl id of idsof http set httpset"],
    ["licence license, colours colored", "licens licens color color"],
    ["normalise normalized normalisation", "normal normal normal"],
    ["parse_http_config", "pars http config parsehttpconfig"],
    ["parse-http-config", "pars http config parsehttpconfig"],
    ["fusion.ts", "fusion ts fusiont"],
    ["__init__", "init"],
    ["python3 sha256 v2 k8s 3d", "python 3 python3 sha 256 sha256 v2 k8s 3d"],
    ["3.11 v1.2.3 1,234 1,2", "3.11 v1.2.3 1.2.3 1234 1 2"],
    ["1.2.3-beta", "1.2.3 beta 1.2.3beta"],
    ["C++, C# and c", "cplusplus csharp and c"],
    ["the user's don’t", "the user dont"],
    ["Über-café Straße Ελλάς", "uber cafe ubercaf strass ελλας"],
    ["Ｆｕｌｌ ﬁre", "full fire"],
    ["ภาษาไทย", "ภาษา ไทย"],
    ["用vue写组件", "用 vue 写 组 件"],
    ["\0 \ud800 🎉 -- ...", ""]
  ])("%j gives %j", (text, terms) => {
    expect(analyze(text).join(" ")).toBe(terms)
  })

  it("gives Chinese compounds as words and as pairs", () => {
    const question = new Set(analyze("服务器"))
    expect(analyze("服务器端渲染").filter((term) => question.has(term)).length).toBeGreaterThan(0)
  })

  it("cuts what is too long, and does not take base64 apart", () => {
    expect(analyze("x".repeat(100_000))).toEqual(["x".repeat(maximumTermLength)])
    const line = Buffer.from(Array.from({ length: 30_000 }, (_, index) => (index * 7919) % 251)).toString(
      "base64"
    )
    expect(analyze(line).length).toBeLessThan(line.length / 4)
  })

  it("gives clean terms for any text, and the same ones again", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" })), (text) => {
        const terms = analyze(text)
        expect(analyze(text)).toEqual(terms)
        for (const term of terms) {
          expect(term.length).toBeLessThanOrEqual(maximumTermLength)
          expect(term).toMatch(/^[\p{L}\p{N}\p{M}.]+$/u)
        }
      }),
      { numRuns: 500 }
    )
  })

  it("gives the terms of the parts for texts put together with white space", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (left, right) => {
        expect(analyze(`${left}\n${right}`)).toEqual([...analyze(left), ...analyze(right)])
      })
    )
  })
})

describe("queryTerms", () => {
  it("leaves stop words out and keeps repeats", () => {
    expect(queryTerms("How do I use the cache, and why the cache?")).toEqual(["us", "cach", "cach"])
  })
  it("keeps them when there is nothing else", () => {
    expect(queryTerms("What is it?")).toEqual(["what", "is", "it"])
  })
})
