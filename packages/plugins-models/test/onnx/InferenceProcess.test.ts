import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { join } from "node:path"
import { makeInferencePool } from "../../src/onnx/InferencePool.ts"
import { openInferenceProcess } from "../../src/onnx/InferenceProcess.ts"
import type { InferenceRequest, InferenceSpec } from "../../src/onnx/inferenceProtocol.ts"
import { modelFolder, tinyEmbedder, tinyFiles, vocabulary } from "@omnirag/testkit/tinyModels"

const spec = Effect.map(modelFolder("model", tinyFiles(tinyEmbedder)), (folder): InferenceSpec => ({
  task: "embed",
  weights: join(folder, "onnx/model.onnx"),
  tokenizer: join(folder, "tokenizer.json"),
  tokenizerConfig: null,
  threads: 1,
  maxTokens: 16,
  batchTokens: 16,
  pooling: "mean",
  overlap: 0
}))

const alpha = { context: "", texts: ["alpha"] }

const signal = (pid: number | undefined, name: NodeJS.Signals): void => {
  assert.isDefined(pid)
  process.kill(pid, name)
}

const isAlive = (pid: number | undefined): boolean => {
  assert.isDefined(pid)
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe("an inference process", () => {
  it.live("ends with its scope", () =>
    Effect.gen(function* () {
      const opened = yield* spec
      const pid = yield* Effect.scoped(
        Effect.gen(function* () {
          const worker = yield* openInferenceProcess(opened)
          assert.strictEqual((yield* worker.run(alpha)).numbers.length, vocabulary.length)
          assert.isTrue(isAlive(worker.pid))
          return worker.pid
        })
      )
      assert.isFalse(isAlive(pid))
    })
  )

  it.live("that is killed at work is a typed failure", () =>
    Effect.gen(function* () {
      const worker = yield* openInferenceProcess(yield* spec)
      // stopped, it can never answer before it is killed
      signal(worker.pid, "SIGSTOP")
      const running = yield* Effect.forkChild(Effect.flip(worker.run(alpha)), { startImmediately: true })
      signal(worker.pid, "SIGKILL")
      const error = yield* Fiber.join(running)
      assert.strictEqual(error.reason, "crashed")
      assert.strictEqual(error.message, "the inference process was ended by SIGKILL")
      assert.strictEqual((yield* Effect.flip(worker.run(alpha))).reason, "gone")
    })
  )

  it.live("survives the Ctrl-C that is meant for its parent", () =>
    Effect.gen(function* () {
      const worker = yield* openInferenceProcess(yield* spec)
      signal(worker.pid, "SIGINT")
      signal(worker.pid, "SIGTERM")
      assert.strictEqual((yield* worker.run(alpha)).numbers.length, vocabulary.length)
    })
  )

  it.live("stops early for a caller that has left, and serves the next", () =>
    Effect.gen(function* () {
      const worker = yield* openInferenceProcess(yield* spec)
      const texts = Array.from({ length: 20_000 }, () => "alpha beta")
      const running = yield* Effect.forkChild(worker.run({ context: "", texts }), { startImmediately: true })
      yield* Fiber.interrupt(running)
      assert.strictEqual((yield* worker.run(alpha)).numbers.length, vocabulary.length)
    })
  )
})

describe("a pool of inference processes", () => {
  it.live("gives each caller its own result while others leave and a process dies", () =>
    Effect.gen(function* () {
      const pids: Array<number | undefined> = []
      const open = openInferenceProcess(yield* spec).pipe(
        Effect.tap(({ pid }) => Effect.sync(() => pids.push(pid)))
      )
      const pool = yield* makeInferencePool(open, 2)
      const words = ["alpha", "beta", "gamma", "delta"]
      const requestOf = (caller: number): InferenceRequest => ({
        context: "",
        texts: Array.from({ length: 40 }, (_, index) => words[(caller + index) % 4] ?? "")
      })
      const expected = yield* Effect.forEach(words, (word) => pool.run({ context: "", texts: [word] }))
      const fibers = yield* Effect.forEach(
        Array.from({ length: 24 }, (_, caller) => caller),
        (caller) => Effect.forkChild(pool.run(requestOf(caller)), { startImmediately: true })
      )
      const leaving = fibers.filter((_, caller) => caller % 3 === 0)
      yield* Fiber.join(fibers[1] ?? assert.fail())
      signal(pids[0], "SIGKILL")
      yield* Fiber.interruptAll(leaving)
      for (const [caller, fiber] of fibers.entries()) {
        if (caller % 3 === 0) continue
        const { numbers } = yield* Fiber.join(fiber)
        requestOf(caller).texts.forEach((_, index) =>
          assert.deepStrictEqual(
            numbers.slice(index * pool.dimensions, (index + 1) * pool.dimensions),
            expected[(caller + index) % 4]?.numbers
          )
        )
      }
      assert.strictEqual((yield* pool.run(alpha)).numbers.length, vocabulary.length)
    })
  )

  it.live("replaces a process that has died", () =>
    Effect.gen(function* () {
      const pids: Array<number | undefined> = []
      const open = openInferenceProcess(yield* spec).pipe(
        Effect.tap(({ pid }) => Effect.sync(() => pids.push(pid)))
      )
      const pool = yield* makeInferencePool(open, 1)
      yield* pool.run(alpha)
      signal(pids[0], "SIGKILL")
      assert.strictEqual((yield* pool.run(alpha)).numbers.length, vocabulary.length)
      assert.strictEqual(pids.length, 2)
    })
  )

  it.live("gives up on a text that crashes each process", () =>
    Effect.gen(function* () {
      let opened = 0
      const open = openInferenceProcess(yield* spec).pipe(
        Effect.map((worker) => {
          opened++
          return {
            ...worker,
            run: (request: InferenceRequest) =>
              Effect.suspend(() => {
                signal(worker.pid, "SIGSTOP")
                const running = worker.run(request)
                return Effect.andThen(
                  Effect.sync(() => queueMicrotask(() => signal(worker.pid, "SIGKILL"))),
                  running
                )
              })
          }
        })
      )
      const pool = yield* makeInferencePool(open, 2)
      const error = yield* Effect.flip(pool.run(alpha))
      assert.strictEqual(error.reason, "crashed")
      assert.isAtLeast(opened, 3)
    })
  )
})
