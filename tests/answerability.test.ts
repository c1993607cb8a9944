import { assert, describe, it } from "@effect/vitest"
import { FloorCalibration, parseAnswerabilitySet } from "@omnirag/core/app"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { inSystem, makeWorld, runIndex } from "@omnirag/testkit/TestSystem"

const data = process.env["OMNIRAG_TEST_DATA"] ?? resolve(import.meta.dirname, "../../shared/data")
const tarball = join(data, "omnibioai.tar.gz")
const sets = [
  {
    name: "first",
    file: "answerability.json",
    answerable: 40,
    unanswerable: 40,
    kept: 38,
    rejected: 37
  },
  {
    name: "development",
    file: "answerability-development.json",
    answerable: 117,
    unanswerable: 115,
    kept: 107,
    rejected: 108
  }
]

describe("the relevance floor", () => {
  it.effect("is found from questions of both kinds, and the report says what it does", () =>
    Effect.gen(function* () {
      const world = yield* makeWorld
      world.corpus.write("gateway.md", "# Gateway\n\nThe gateway listens on port 8080.\n")
      world.corpus.write("archive.md", "# Archive\n\nThe archive is kept for ninety days.\n")
      const report = yield* inSystem(
        world,
        Effect.gen(function* () {
          yield* runIndex()
          const calibration = yield* FloorCalibration
          return yield* calibration.calibrate(
            [
              { query: "On which port does the gateway listen?", answerable: true },
              { query: "How long is the archive kept?", answerable: true },
              { query: "Does the gateway speak Kerberos?", answerable: false },
              { query: "Who painted the chapel?", answerable: false },
              { query: "How long is the archive kept?", answerable: false, repo: "elsewhere" }
            ],
            { topK: 3 }
          )
        }),
        "retrieval: { mode: lexical }"
      )
      assert.deepInclude(report, { answerable: 2, unanswerable: 3 })
      assert.deepInclude(report.best, { kept: 2, rejected: 3 })
      assert.deepStrictEqual(report.current, { floor: 0.6, kept: 2, rejected: 3 })
      assert.deepStrictEqual(
        report.questions.map(({ missing }) => missing),
        [[], ["long"], ["speak", "Kerberos"], ["painted", "chapel"], ["long", "archive", "kept"]]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("refuses a set with questions of one kind only", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(parseAnswerabilitySet('[{"query": "a", "answerable": true}]'))
      assert.strictEqual(
        error.message,
        "the set has no question with `answerable: false`; a floor is found between the two kinds"
      )
    })
  )

  for (const { name, file, answerable, unanswerable, kept, rejected } of sets) {
    it.effect.skipIf(!existsSync(tarball))(
      `of lsa keeps and rejects at least as many of the ${name} questions as measured (needs the public corpora)`,
      () =>
        Effect.gen(function* () {
          const cases = yield* parseAnswerabilitySet(
            readFileSync(join(import.meta.dirname, "evaluation", file), "utf8")
          )
          const world = yield* makeWorld
          execFileSync("tar", ["xzf", tarball, "-C", world.corpus.root, "--strip-components=1"])
          const report = yield* inSystem(
            world,
            Effect.andThen(
              runIndex(),
              FloorCalibration.use((calibration) => calibration.calibrate(cases, { topK: 5 }))
            ),
            "embedder: { use: lsa }"
          )
          assert.deepInclude(report, { answerable, unanswerable })
          assert.isAtLeast(report.current.kept, kept)
          assert.isAtLeast(report.current.rejected, rejected)
        }).pipe(Effect.scoped)
    )
  }
})
