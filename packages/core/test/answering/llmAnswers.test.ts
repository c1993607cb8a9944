import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { llmAnswers } from "../../src/answering/llmAnswersPlugin.ts"
import type { AnswerError } from "../../src/domain/errors.ts"
import { AnswerGenerator, type AnswerPart } from "../../src/ports/AnswerGenerator.ts"
import { passage } from "@omnirag/testkit/passages"
import { type Asked, contextExceeded, type Script, scriptedModel, stalled } from "./ScriptedModel.ts"

const two = [passage(1, "The port is 8082."), passage(2, "The host is 127.0.0.1.")]

interface Outcome {
  readonly parts: ReadonlyArray<AnswerPart>
  readonly error: AnswerError | undefined
}

/** Everything the generator emits before it ends or fails. */
const run = (
  answer: (asked: Asked) => Script,
  {
    passages = two,
    options = {},
    contextTokens = 4096,
    ownTokens
  }: {
    readonly passages?: typeof two
    readonly options?: Record<string, unknown>
    readonly contextTokens?: number
    readonly ownTokens?: Effect.Effect<number | undefined>
  } = {}
): Effect.Effect<Outcome, unknown> =>
  Effect.gen(function* () {
    const generator = yield* AnswerGenerator
    const parts: Array<AnswerPart> = []
    const error = yield* generator
      .generate({ question: "Which port?", passages, termWeights: new Map() })
      .pipe(
        Stream.runForEach((part) => Effect.sync(() => parts.push(part))),
        Effect.match({ onFailure: (failure) => failure, onSuccess: () => undefined })
      )
    return { parts, error }
  }).pipe(
    Effect.provide(Layer.provide(llmAnswers.build(options), scriptedModel(answer, contextTokens, ownTokens)))
  )

const shown = { _tag: "Passages", numbers: [1, 2] } as const
const usage = { _tag: "Usage", usage: { input: 7, output: 3 } } as const

describe("answers llm", () => {
  it.effect("tells what the model saw, streams its text as it comes, then the tokens", () =>
    Effect.gen(function* () {
      const { parts, error } = yield* run(() => ({ pieces: ["It is ", "8082 [", "1]."] }))
      assert.isUndefined(error)
      assert.deepStrictEqual(parts, [
        shown,
        { _tag: "Text", text: "It is " },
        { _tag: "Text", text: "8082 [" },
        { _tag: "Text", text: "1]." },
        usage
      ])
    })
  )

  it.effect("gives the model the instructions, the passages and the question", () =>
    Effect.gen(function* () {
      let asked: Asked | undefined
      yield* run(
        (given) => {
          asked = given
          return { pieces: ["ok"] }
        },
        { options: { instructions: "Answer like a sailor." } }
      )
      assert.isTrue(asked?.system.startsWith("Answer like a sailor.\n"))
      assert.include(asked?.user ?? "", "\nSource: docs/guide1.md\nSection: Guide\n\nThe port is 8082.\n")
      assert.isTrue(asked?.user.endsWith("Question: Which port?"))
    })
  )

  it.effect("refuses empty instructions, with their path", () =>
    Effect.gen(function* () {
      const faults = yield* llmAnswers.check({ instructions: "" })
      assert.deepStrictEqual(
        faults.map(({ path }) => path),
        ["instructions"]
      )
    })
  )

  for (const pieces of [
    ["NOT IN THE PASSAGES"],
    [..."NOT IN THE PASSAGES."],
    ["\n", "Not in", " the passages", "\n"],
    ["**NOT IN THE ", "PASSAGES**"],
    ["NOT IN THE PASSAGES", ".", " The passages are about ports [1]; I think it is 9."],
    ["NOT IN THE PASSAGES", "\n\n", "The passages do not say it."],
    ["NOT IN THE PASSAGES", " – it is", " 9 [1]."],
    ['"Not in the passages', '", I am afraid.']
  ]) {
    it.effect(`abstains on ${JSON.stringify(pieces.join("|"))}, with nothing before or after`, () =>
      Effect.gen(function* () {
        const { parts, error } = yield* run(() => ({ pieces }))
        assert.isUndefined(error)
        assert.deepStrictEqual(parts, [
          { _tag: "Abstain", reason: "the model found no answer in the passages" }
        ])
      })
    )
  }

  it.effect("loses nothing of a text that begins like the abstention", () =>
    Effect.gen(function* () {
      for (const pieces of [
        ["Not", " in ", "dispute [1]"],
        ["NOT IN THE PASSAGES", " but elsewhere"],
        ["**NOT", " at all**"],
        ["Not in the passages", "-", "file [1]"],
        ["No"]
      ]) {
        const { parts } = yield* run(() => ({ pieces }))
        const text = parts.map((part) => (part._tag === "Text" ? part.text : "")).join("")
        assert.strictEqual(text, pieces.join(""))
        assert.deepStrictEqual(parts[0], shown)
      }
    })
  )

  it.effect("does not ask without passages", () =>
    Effect.gen(function* () {
      let asked = 0
      const { parts } = yield* run(
        () => {
          asked++
          return { pieces: [] }
        },
        { passages: [] }
      )
      assert.strictEqual(asked, 0)
      assert.strictEqual(parts[0]?._tag, "Abstain")
    })
  )

  it.effect("warns when the answer reached its most tokens", () =>
    Effect.gen(function* () {
      const { parts } = yield* run(() => ({ pieces: ["It is"], end: "length" }))
      assert.deepStrictEqual(parts.at(-2), {
        _tag: "Warning",
        message: "the answer was cut off: it reached the most tokens it may have"
      })
      assert.deepStrictEqual(parts.at(-1), usage)
    })
  )

  it.effect("keeps the text of a provider that ends without saying so", () =>
    Effect.gen(function* () {
      const { parts, error } = yield* run(() => ({ pieces: ["Not"], end: "nothing" }))
      assert.isUndefined(error)
      assert.deepStrictEqual(parts, [shown, { _tag: "Text", text: "Not" }])
    })
  )
})

describe("answers llm: the context", () => {
  const many = Array.from({ length: 20 }, (_, index) =>
    passage(index + 1, `Passage ${index + 1}. `.repeat(40))
  )

  it.effect("passages that do not fit are left out from the last up, not citable, and reported", () =>
    Effect.gen(function* () {
      let asked: Asked | undefined
      const { parts } = yield* run(
        (given) => {
          asked = given
          return { pieces: ["ok"] }
        },
        { passages: many, contextTokens: 2048 }
      )
      const [first, second] = parts
      const numbers = first?._tag === "Passages" ? first.numbers : []
      assert.deepStrictEqual(
        numbers,
        Array.from({ length: numbers.length }, (_, index) => index + 1)
      )
      assert.isTrue(numbers.length > 1 && numbers.length < 20)
      const left = Array.from(
        { length: 20 - numbers.length },
        (_, index) => `[${numbers.length + 1 + index}]`
      )
      assert.strictEqual(
        second?._tag === "Warning" ? second.message : second,
        `the model's context is too small for ${left.length} of the passages, which were left out: ${left.join(" ")}`
      )
      for (const { number } of many) {
        assert.strictEqual((asked?.user ?? "").includes(`Passage ${number}. `), numbers.includes(number))
      }
    })
  )

  it.effect("a prompt that the model finds too long all the same is made shorter and sent again", () =>
    Effect.gen(function* () {
      const lengths: Array<number> = []
      const { parts, error } = yield* run(
        ({ user }) => {
          lengths.push(user.length)
          return lengths.length < 3 ? { pieces: [], end: contextExceeded } : { pieces: ["ok"] }
        },
        { passages: many }
      )
      assert.isUndefined(error)
      assert.strictEqual(lengths.length, 3)
      assert.isTrue((lengths[1] ?? 0) < (lengths[0] ?? 0) && (lengths[2] ?? 0) < (lengths[1] ?? 0))
      assert.strictEqual(parts.filter((part) => part._tag === "Passages").length, 1)
    })
  )

  it.effect("keeps to what the model was made for, where that is less than configured", () =>
    Effect.gen(function* () {
      const shownFor = (contextTokens: number, ownTokens?: Effect.Effect<number | undefined>) =>
        Effect.map(
          run(() => ({ pieces: ["ok"] }), {
            passages: many,
            contextTokens,
            ...(ownTokens === undefined ? {} : { ownTokens })
          }),
          ({ parts }) => parts[0]
        )
      const small = yield* shownFor(2048)
      assert.deepStrictEqual(yield* shownFor(8192, Effect.succeed(2048)), small)
      assert.deepStrictEqual(yield* shownFor(2048, Effect.succeed(8192)), small)
      assert.deepStrictEqual(yield* shownFor(2048, Effect.succeed(undefined)), small)
      assert.notDeepEqual(yield* shownFor(8192), small)
    })
  )

  it.effect("gives up after a few", () =>
    Effect.gen(function* () {
      let asked = 0
      const { parts, error } = yield* run(() => {
        asked++
        return { pieces: [], end: contextExceeded }
      })
      assert.deepStrictEqual([asked, parts, error?.message], [4, [], "too long"])
    })
  )

  it.effect("a prompt that took more tokens than it may have is reported: the server may have cut it", () =>
    Effect.gen(function* () {
      const { parts } = yield* run(() => ({ pieces: ["ok"], inputTokens: 3585 }))
      assert.deepStrictEqual(parts.at(-2), {
        _tag: "Warning",
        message:
          "the prompt took 3585 tokens instead of the 3584 it may have; the model may not have seen all of it"
      })
    })
  )

  it.effect("too small for the instructions: says so without asking", () =>
    Effect.gen(function* () {
      const { error } = yield* run(() => ({ pieces: ["ok"] }), { contextTokens: 700 })
      assert.match(error?.message ?? "", /do not fit into the 188 tokens .* give it a larger context/)
    })
  )
})

describe("answers llm: failures", () => {
  it.effect("a stall in mid-stream ends what was streamed with one typed error", () =>
    Effect.gen(function* () {
      const { parts, error } = yield* run(() => ({ pieces: ["It is 80"], end: stalled }))
      assert.deepStrictEqual(parts, [shown, { _tag: "Text", text: "It is 80" }])
      assert.strictEqual(error?._tag, "AnswerError")
      assert.strictEqual(error?.message, "the model stopped in the middle of an answer")
      assert.strictEqual(error?.retryable, true)
    })
  )

  it.effect("an error that the stream reports ends the answer like any other", () =>
    Effect.gen(function* () {
      const reports: ReadonlyArray<readonly [unknown, string, boolean]> = [
        [new Error("overloaded"), "the model broke off its answer: overloaded", false],
        ["overloaded", "the model broke off its answer: overloaded", false],
        [{ code: 529 }, 'the model broke off its answer: {"code":529}', false],
        [stalled, "the model stopped in the middle of an answer", true]
      ]
      for (const [report, message, retryable] of reports) {
        const { parts, error } = yield* run(() => ({ pieces: ["It is 80"], reports: report }))
        assert.deepStrictEqual(parts, [shown, { _tag: "Text", text: "It is 80" }])
        assert.deepStrictEqual([error?.message, error?.retryable], [message, retryable])
      }
      const { error } = yield* run(() => ({ pieces: ["It is 80"], end: "error" }))
      assert.strictEqual(error?.message, "the model broke off its answer: it ended in an error")
    })
  )

  it.effect("warns when the provider kept the rest back", () =>
    Effect.gen(function* () {
      const { parts } = yield* run(() => ({ pieces: ["It is"], end: "content-filter" }))
      assert.deepStrictEqual(parts.at(-2), {
        _tag: "Warning",
        message: "the answer was cut off: the provider of the model filtered the rest"
      })
    })
  )

  it.effect("an answer that ended in thoughts says what to change", () =>
    Effect.gen(function* () {
      const { parts, error } = yield* run(() => ({ pieces: [], end: "length" }))
      assert.deepStrictEqual(
        [parts, error?.message, error?.retryable],
        [
          [],
          "scripted used up the 512 tokens of an answer before it came to one; give it more, or keep it from thinking",
          false
        ]
      )
    })
  )

  it.effect("an empty answer is an error, not an answer", () =>
    Effect.gen(function* () {
      for (const pieces of [[], ["", "  \n"]]) {
        const { parts, error } = yield* run(() => ({ pieces }))
        assert.deepStrictEqual([parts, error?.message], [[], "scripted ended without an answer"])
      }
    })
  )
})
