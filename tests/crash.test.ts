import { assert, describe, it } from "@effect/vitest"
import { GenerationReader, IndexVerifier } from "@omnirag/core/app"
import { Effect, Random, type Scope } from "effect"
import { join } from "node:path"
import { writeFileSync } from "node:fs"
import { OmniragProcess } from "@omnirag/testkit/OmniragProcess"
import {
  configOf,
  contents,
  inSystem,
  makeWorld,
  runIndex,
  type TestWorld
} from "@omnirag/testkit/TestSystem"
import type { SystemServices } from "@omnirag/testkit/withSystem"

/** Files indexed again in every round, three chunks each. */
const files = 200
/** Kills for each of the two embedders: 30 together. */
const kills = 15
/** Printed, so that a failure can be repeated. */
const seed = 20_261_130

const paths = Array.from({ length: files }, (_, n) => `f${String(n).padStart(3, "0")}.md`)

/** Every chunk of a file says its version, so that a mixture of two shows. */
const write = ({ corpus }: TestWorld, version: number) => {
  for (const [n, path] of paths.entries()) {
    corpus.write(
      path,
      ["First", "Second", "Third"]
        .map((title) => `# ${title}\n\nversion ${version} of part ${title} in document number ${n}\n`)
        .join("\n")
    )
  }
}

const versionsIn = (texts: ReadonlyArray<string>): ReadonlySet<number> =>
  new Set(texts.map((text) => Number(/version (\d+)/.exec(text)?.[1])))

/** Documents, and the ids and texts of chunks, as one value. */
const snapshot = Effect.gen(function* () {
  const { catalog } = yield* Effect.flatMap(GenerationReader, ({ live }) => live)
  return yield* Effect.forEach(paths, (path) =>
    Effect.map(catalog.chunks.ofDocument(`docs/${path}`), (chunks) =>
      chunks.map(({ id, text }) => ({ id, text }))
    )
  )
})

/** Each document is one version, and none newer than the disk; returns the versions. */
const checkWhole = Effect.fnUntraced(function* (newest: number) {
  const { catalog } = yield* Effect.flatMap(GenerationReader, ({ live }) => live)
  for (const path of paths) {
    const id = `docs/${path}`
    const text = yield* catalog.documents.text(id)
    const chunks = yield* catalog.chunks.ofDocument(id)
    if (text._tag === "None") {
      assert.deepStrictEqual(chunks, [])
      continue
    }
    const [version = Number.NaN, ...others] = versionsIn([...chunks.map((chunk) => chunk.text), text.value])
    assert.deepStrictEqual(others, [])
    assert.isAtMost(version, newest)
    assert.strictEqual(chunks.length, 3)
  }
})

/** Starts a run in a process of its own and kills it so long after its first sign of work. */
const killAfter = (config: string, milliseconds: number) =>
  Effect.promise(async () => {
    const index = new OmniragProcess(["index", "--config", config])
    await index.said(/\d+\/\d+ files/)
    const timer = setTimeout(() => void index.stop("SIGKILL"), milliseconds)
    const { signal } = await index.ended
    clearTimeout(timer)
    return signal === "SIGKILL"
  })

const embedders = [
  ["the embedded default", "embedder: { use: lsa }"],
  [
    "a pretrained embedder of an external module",
    `plugins: ["@omnirag/testkit/externalPlugins"]\nembedder: { use: test }`
  ]
] as const

describe.concurrent(`${kills} kills at random moments (seed ${seed})`, () => {
  for (const [name, more] of embedders) {
    it(
      `with ${name}: every file is wholly old or wholly new, and the next run makes it true`,
      () =>
        Effect.runPromise(
          Effect.gen(function* () {
            const world = yield* makeWorld
            const config = join(world.folder, "omnirag.yaml")
            writeFileSync(config, configOf(world, more))
            const system = <A, E>(use: Effect.Effect<A, E, SystemServices | Scope.Scope>) =>
              inSystem(world, use, more)
            const moments: Array<number> = []
            let killed = 0
            for (let version = 1; version <= kills; version++) {
              write(world, version)
              // most of the work of one run lies within this span
              const moment = yield* Random.nextIntBetween(0, 900)
              moments.push(moment)
              if (yield* killAfter(config, moment)) killed++
              const opening = performance.now()
              yield* system(Effect.flatMap(GenerationReader, ({ live }) => live))
              assert.isBelow(
                performance.now() - opening,
                2_000,
                `opening after the kills at ${moments.join()}`
              )
              yield* system(checkWhole(version))
            }
            assert.isAbove(killed, kills / 3, `moments ${moments.join()} came too late to mean anything`)

            const end = yield* system(
              Effect.gen(function* () {
                assert.strictEqual((yield* runIndex()).status, "succeeded")
                assert.isTrue((yield* Effect.flatMap(IndexVerifier, ({ verify }) => verify)).sound)
                const { chunkIds, storeIds } = yield* contents
                assert.deepStrictEqual(storeIds, chunkIds)
                return yield* snapshot
              })
            )
            const clean = yield* inSystem(
              { ...world, data: join(world.folder, "clean") },
              Effect.andThen(runIndex(), snapshot),
              more
            )
            assert.deepStrictEqual(end, clean)
          }).pipe(Effect.scoped, Random.withSeed(seed))
        ),
      240_000
    )
  }
})
