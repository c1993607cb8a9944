import { expect, it } from "@effect/vitest"
import { supportByDocument } from "../../src/retrieval/documentSupport.ts"

const hit = (id: string, score: number) => ({ id, score })
const documentOf = ({ id }: { readonly id: string }) => id.slice(0, 1)
const rounded = (hits: ReadonlyArray<{ readonly id: string; readonly score: number }>) =>
  hits.map(({ id, score }) => [id, Math.round(score * 1e6) / 1e6])

it("puts a passage among others of its document before one that stands alone", () => {
  const hits = [hit("a1", 0.62), hit("b1", 0.6), hit("b2", 0.5), hit("c1", 0.1)]
  expect(rounded(supportByDocument(hits, documentOf))).toEqual([
    ["b1", 0.71],
    ["a1", 0.682],
    ["b2", 0.61],
    ["c1", 0.11]
  ])
})

it("hears no more than the five best of a document", () => {
  const hits = Array.from({ length: 50 }, (_, index) => hit(`a${index}`, index < 5 ? 1 : 0.5))
  const supported = supportByDocument(hits, documentOf)
  expect(supported.map(({ score }) => score)).toEqual(hits.map(({ score }) => score + 0.5))
})

it("keeps the order of equal scores, and of hits that are a document each", () => {
  const hits = [hit("a", 1), hit("b", 1), hit("c", 0.5), hit("d", 0)]
  expect(supportByDocument(hits, documentOf).map(({ id }) => id)).toEqual(["a", "b", "c", "d"])
  expect(supportByDocument([], documentOf)).toEqual([])
})
