import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { estimateTokens } from "../../src/prompting/contextBudget.ts"
import { Reranker } from "../../src/ports/Reranker.ts"
import { parseRanking } from "../../src/retrieval/llmReranker.ts"
import { llmReranker } from "../../src/retrieval/llmRerankerPlugin.ts"
import { type Asked, type Script, scriptedModel, stalled } from "../answering/ScriptedModel.ts"

const score = (answer: (asked: Asked) => Script, texts: ReadonlyArray<string>, contextTokens = 4096) =>
  Effect.gen(function* () {
    const reranker = yield* Reranker
    return yield* reranker.score("Which port?", texts)
  }).pipe(Effect.provide(Layer.provide(llmReranker.build({}), scriptedModel(answer, contextTokens))))

/** The indices by score, best first; equal scores would keep their order. */
const order = (scores: ReadonlyArray<number>) =>
  scores.map((_, index) => index).toSorted((left, right) => (scores[right] ?? 0) - (scores[left] ?? 0))

describe("parseRanking", () => {
  const cases: ReadonlyArray<readonly [string, number, ReadonlyArray<number>]> = [
    ["[2] > [1] > [3]", 3, [2, 1, 3]],
    ["2>1>3", 3, [2, 1, 3]],
    ["3, 1, 2", 3, [3, 1, 2]],
    ["Of these 3 passages, the ranking is:\n[3] > [2] > [1]\nbecause 2 of 3…", 3, [3, 2, 1]],
    ["[2] > [2] > [9] > [0] > [1]", 3, [2, 1]],
    ["[2]\n[1]\n[3]", 3, [2, 1, 3]],
    ["[3] [1] [2]", 3, [3, 1, 2]],
    ["[[2], [1]]", 3, [2, 1]],
    ['{"ranking": [2, 1, 3]}', 3, [2, 1, 3]],
    ["2 ≻ 1", 3, [2, 1]],
    ["[2] > [1], as in 2023, 2024, 2025, 2026", 3, [2, 1]],
    ["1".repeat(50_000), 3, []],
    ["[1] ".repeat(20_000), 3, [1]],
    ["[2]", 3, [2]],
    ["2.", 3, [2]],
    ["The second one, I think.", 3, []],
    ["There are 3 passages and 1 question", 3, []],
    ["Port 8080 [1]. It is in [2] [3], not in [1][2].", 3, []],
    ["[7] > [8]", 3, []],
    ["", 3, []]
  ]
  for (const [reply, count, ranking] of cases) {
    it(`reads ${JSON.stringify(reply.slice(0, 80))}`, () =>
      assert.deepStrictEqual(parseRanking(reply, count), ranking))
  }
})

describe("reranker llm", () => {
  const texts = ["about hosts", "about ports", "about paths"]
  it.effect("scores by the order the model gives; what it leaves out follows in the given order", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(order(yield* score(() => ({ pieces: ["[2] > [3] > [1]"] }), texts)), [1, 2, 0])
      assert.deepStrictEqual(order(yield* score(() => ({ pieces: ["[3]"] }), texts)), [2, 0, 1])
    })
  )

  it.effect("shows every passage whole where there is room, and a part of each where there is little", () =>
    Effect.gen(function* () {
      let user = ""
      const watch = (asked: Asked): Script => {
        user = asked.user
        return { pieces: ["[1] > [2]"] }
      }
      yield* score(watch, texts)
      for (const text of texts) assert.include(user, text)
      const long = Array.from({ length: 12 }, (_, index) => `text${index} `.repeat(500))
      yield* score(watch, long, 2048)
      for (const index of long.keys()) assert.include(user, `text${index} text${index}`)
    })
  )

  it.effect("never asks for more than its context holds, and for the same whatever the marks are", () =>
    Effect.gen(function* () {
      const long = Array.from({ length: 60 }, (_, index) => `text${index} `.repeat(200))
      for (const contextTokens of [1024, 2048, 4096, 16_384]) {
        const lengths = new Set<number>()
        for (let time = 0; time < 20; time++) {
          yield* score(
            ({ system, user }) => {
              assert.isAtMost(estimateTokens(system) + estimateTokens(user), contextTokens - 512)
              lengths.add(user.length)
              return { pieces: ["[1] > [2]"] }
            },
            long,
            contextTokens
          )
        }
        assert.strictEqual(lengths.size, 1)
      }
    })
  )

  it.effect("does not ask about one text or none", () =>
    Effect.gen(function* () {
      const never = (): Script => assert.fail("the model was asked")
      assert.deepStrictEqual(yield* score(never, []), [])
      assert.deepStrictEqual(yield* score(never, ["one"]), [1])
    })
  )

  it.effect("nonsense and failures of the model are typed errors", () =>
    Effect.gen(function* () {
      const nonsense = yield* Effect.flip(score(() => ({ pieces: ["I cannot help with that."] }), texts))
      assert.strictEqual(nonsense._tag, "RerankError")
      assert.strictEqual(nonsense.message, "scripted gave no ranking but: I cannot help with that.")
      const failed = yield* Effect.flip(score(() => ({ pieces: [], end: stalled }), texts))
      assert.strictEqual(failed.message, "the model stopped in the middle of an answer")
      const small = yield* Effect.flip(score(() => ({ pieces: ["[1]"] }), texts, 700))
      assert.match(small.message, /too small to compare two passages$/)
    })
  )
})
