import { assert, describe, it, layer } from "@effect/vitest"
import { ChunkFilter, type Filter, type InvalidInput } from "@omnirag/core/app"
import { Effect } from "effect"
import fc from "fast-check"
import { decodeFilter, type FilterInput } from "../src/filterInput.ts"
import { codeOf, post } from "./client.ts"
import { documents, retriever, serve } from "./doubles.ts"

const { and, compare, equals, exists, isIn, not, or } = ChunkFilter

describe("decodeFilter", () => {
  const cases: ReadonlyArray<readonly [string, FilterInput, Filter | undefined]> = [
    ["nothing", {}, undefined],
    ["an empty condition", { repo: {} }, undefined],
    ["one condition", { repo: { eq: "a" } }, equals("repo", "a")],
    [
      "fields and operators together: all apply",
      { repo: { eq: "a" }, bundle: { ne: "b", prefix: "c" } },
      and(equals("repo", "a"), compare("bundle", "ne", "b"), compare("bundle", "prefix", "c"))
    ],
    ["a list", { path: { in: ["a", "b"] } }, isIn("path", ["a", "b"])],
    [
      "a list of others",
      { path: { nin: ["a"] } },
      { _tag: "In", field: "path", values: ["a"], negated: true }
    ],
    ["an empty list holds for nothing", { path: { in: [] } }, isIn("path", [])],
    ["presence", { page: { exists: false } }, exists("page", false)],
    [
      "a range",
      { confidence: { gte: 0.5, lt: 0.9 } },
      and(compare("confidence", "gte", 0.5), compare("confidence", "lt", 0.9))
    ],
    [
      "metadata",
      {
        metadata: [
          { key: "lang", eq: "en" },
          { key: "year", gt: 2020 },
          { key: "draft", ne: true }
        ]
      },
      and(
        equals("metadata.lang", "en"),
        compare("metadata.year", "gt", 2020),
        compare("metadata.draft", "ne", true)
      )
    ],
    [
      "combinations",
      {
        repo: { eq: "a" },
        _or: [{ page: { eq: 1 } }, {}],
        _not: { path: { glob: "**/x" } },
        _and: [{ page: { lt: 9 } }]
      },
      and(
        equals("repo", "a"),
        compare("page", "lt", 9),
        or(equals("page", 1), and()),
        not(compare("path", "glob", "**/x"))
      )
    ]
  ]
  for (const [name, input, expected] of cases) {
    it.effect(name, () =>
      Effect.map(decodeFilter(input), (filter) => assert.deepStrictEqual(filter, expected))
    )
  }

  const refused = (input: FilterInput) =>
    Effect.map(Effect.flip(decodeFilter(input)), (error: InvalidInput) => error.field)

  it.effect("refuses a null wherever it stands, and names the place", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refused({ repo: null }), "where.repo")
      assert.strictEqual(yield* refused({ repo: { eq: null } }), "where.repo.eq")
      assert.strictEqual(yield* refused({ _or: null }), "where._or")
      assert.strictEqual(
        yield* refused({ _or: [{}, { _and: [{ metadata: [{ key: "a" }, { key: "b", in: null }] }] }] }),
        "where._or[1]._and[0].metadata[1].in"
      )
    })
  )

  it.effect("refuses what is beyond core's bounds", () =>
    Effect.gen(function* () {
      const deep = Array.from({ length: 20 }).reduce<FilterInput>((inner) => ({ _not: inner }), {
        page: { eq: 1 }
      })
      assert.strictEqual(yield* refused(deep), "where")
      assert.strictEqual(yield* refused({ path: { in: Array.from({ length: 1001 }, String) } }), "where")
      assert.strictEqual(yield* refused({ metadata: [{ key: "", eq: 1 }] }), "where")
      assert.strictEqual(yield* refused({ path: { glob: "*".repeat(1001) } }), "where.path.glob")
    })
  )

  it("everything given together applies: adding a condition never widens the filter", () => {
    const condition: fc.Arbitrary<FilterInput> = fc.oneof(
      fc.constantFrom("a", "b").map((eq) => ({ repo: { eq } })),
      fc.nat(3).map((lte) => ({ page: { lte } })),
      fc.constantFrom("en", "de").map((eq) => ({ metadata: [{ key: "lang", eq }] })),
      fc.constantFrom("a", "b").map((ne) => ({ _not: { repo: { ne } } }))
    )
    const fields = fc.record({
      repo: fc.constantFrom("a", "b"),
      page: fc.nat(3),
      lang: fc.constantFrom("en", "de")
    })
    const holds = (
      input: FilterInput,
      { repo, page, lang }: { repo: string; page: number; lang: string }
    ) => {
      const filter = Effect.runSync(decodeFilter(input))
      return (
        filter === undefined ||
        ChunkFilter.compileFilter(filter)({
          documentId: `${repo}/x.md`,
          repo,
          bundle: null,
          path: "x.md",
          mediaType: "text/markdown",
          intent: null,
          page,
          confidence: 1,
          metadata: { lang }
        })
      )
    }
    fc.assert(
      fc.property(condition, condition, fields, (one, other, chunk) => {
        const together: FilterInput = { _and: [one, other] }
        assert.strictEqual(holds(together, chunk), holds(one, chunk) && holds(other, chunk))
        assert.strictEqual(holds({ ...one, _or: [other] }, chunk), holds(one, chunk) && holds(other, chunk))
      })
    )
  })
})

describe("the filter argument", () => {
  const seen: Array<Filter | undefined> = []
  const note = (where: Filter | undefined) => Effect.sync(() => void seen.push(where))
  const doubles = {
    retriever: {
      search: (request: Parameters<ReturnType<typeof retriever>["search"]>[0]) =>
        Effect.andThen(note(request.where), retriever().search(request))
    },
    documents: {
      list: (options: Parameters<ReturnType<typeof documents>["list"]>[0]) =>
        Effect.andThen(note(options.where), documents().list(options))
    }
  }
  layer(serve(doubles), { excludeTestServices: true })((it) => {
    const decoded = (query: string, variables: Record<string, unknown> = {}) =>
      Effect.gen(function* () {
        seen.length = 0
        const { errors } = yield* post(query, variables)
        assert.isUndefined(errors)
        return seen
      })

    it.effect("reaches the use case, from literals and variables alike", () =>
      Effect.gen(function* () {
        const expected = and(
          equals("repo", "a"),
          compare("page", "gt", 1),
          equals("metadata.year", 2024),
          isIn("metadata.draft", [true]),
          or(equals("bundle", "x"))
        )
        assert.deepStrictEqual(
          yield* decoded(
            '{ search(query: "q", where: { repo: { eq: "a" }, page: { gt: 1 }, metadata: [{ key: "year", eq: 2024 }, { key: "draft", in: true }], _or: { bundle: { eq: "x" } } }) { mode } }'
          ),
          [expected]
        )
        assert.deepStrictEqual(
          yield* decoded('query ($where: ChunkFilter) { search(query: "q", where: $where) { mode } }', {
            where: {
              repo: { eq: "a" },
              page: { gt: 1 },
              metadata: [
                { key: "year", eq: 2024 },
                { key: "draft", in: [true] }
              ],
              _or: [{ bundle: { eq: "x" } }]
            }
          }),
          [expected]
        )
        assert.deepStrictEqual(yield* decoded('{ search(query: "q", where: null) { mode } }'), [undefined])
        assert.deepStrictEqual(
          yield* decoded('{ documents(where: { path: { prefix: "a/" } }) { totalCount } }'),
          [compare("path", "prefix", "a/")]
        )
      })
    )

    it.effect("an unknown field and a value of the wrong type are refused with a code", () =>
      Effect.gen(function* () {
        const refusals = [
          '{ search(query: "q", where: { owner: { eq: "a" } }) { mode } }',
          '{ search(query: "q", where: { page: { eq: "a" } }) { mode } }',
          "{ documents(where: { page: { eq: 1 } }) { totalCount } }"
        ]
        for (const query of refusals) {
          assert.strictEqual(codeOf(yield* post(query)), "GRAPHQL_VALIDATION_FAILED")
        }
        const list = yield* post(
          '{ search(query: "q", where: { metadata: [{ key: "a", eq: [1] }] }) { mode } }'
        )
        assert.strictEqual(codeOf(list), "BAD_USER_INPUT")
        const withNull = yield* post('{ search(query: "q", where: { repo: { eq: null } }) { mode } }')
        assert.deepInclude(withNull.errors?.[0]?.extensions, {
          code: "BAD_USER_INPUT",
          field: "where.repo.eq"
        })
        const variable = yield* post(
          'query ($where: ChunkFilter) { search(query: "q", where: $where) { mode } }',
          {
            where: { owner: { eq: "a" } }
          }
        )
        assert.strictEqual(codeOf(variable), "BAD_USER_INPUT")
      })
    )
  })
})
