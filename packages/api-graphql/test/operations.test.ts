import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { getIntrospectionQuery } from "graphql"
import { printedSchema } from "../src/index.ts"
import { post, request } from "./client.ts"
import { serve } from "./doubles.ts"

const page = { accept: "text/html,application/xhtml+xml" }
const bodyText = (response: Response) => Effect.promise(() => response.text())

describe("the schema", () => {
  it("is the one in schema.graphql; print it anew after a change and look at the difference", () => {
    assert.strictEqual(printedSchema(), readFileSync(new URL("../schema.graphql", import.meta.url), "utf8"))
  })

  interface Described {
    readonly name: string
    readonly description: string | null
    readonly fields?: ReadonlyArray<Described> | null
    readonly inputFields?: ReadonlyArray<Described> | null
    readonly enumValues?: ReadonlyArray<Described> | null
    readonly args?: ReadonlyArray<Described> | null
  }

  layer(serve(), { excludeTestServices: true })((it) => {
    it.effect("describes every type, field, argument and value", () =>
      Effect.gen(function* () {
        const { data } = yield* post(getIntrospectionQuery())
        const { types } = (data ?? {})["__schema"] as { readonly types: ReadonlyArray<Described> }
        const bare = (part: Described, path: string): ReadonlyArray<string> => [
          ...(part.description === null || part.description === "" ? [path] : []),
          ...[part.fields, part.inputFields, part.enumValues, part.args].flatMap((parts) =>
            (parts ?? []).flatMap((inner) => bare(inner, `${path}.${inner.name}`))
          )
        ]
        const own = types.filter(({ name }) => !name.startsWith("__"))
        assert.isAbove(own.length, 40)
        assert.deepStrictEqual(
          own.flatMap((type) => bare(type, type.name)),
          []
        )
      })
    )
  })
})

describe("operations", () => {
  layer(serve(), { excludeTestServices: true })("when all is well", (it) => {
    it.effect("/health and /ready say so", () =>
      Effect.gen(function* () {
        const health = yield* request("/health")
        assert.strictEqual(health.status, 200)
        assert.deepStrictEqual(JSON.parse(yield* bodyText(health)), { status: "ok" })
        const ready = yield* request("/ready")
        assert.strictEqual(ready.status, 200)
        assert.deepStrictEqual(JSON.parse(yield* bodyText(ready)), {
          status: "ready",
          checks: [{ name: "index", healthy: true, optional: false, detail: "12 documents" }]
        })
      })
    )

    it.effect("/metrics counts errors by code", () =>
      Effect.gen(function* () {
        yield* post('mutation { cancelIndex(runId: "x") { id } }')
        const metrics = yield* request("/metrics")
        const text = yield* bodyText(metrics)
        assert.match(metrics.headers.get("content-type") ?? "", /^text\/plain/)
        assert.match(text, /^omnirag_graphql_errors_total\{code="NOT_FOUND"\} [1-9]/m)
        assert.match(text, /^omnirag_graphql_active\{kind="resolver"\} 0$/m)
      })
    )

    it.effect("there is no page unless it is switched on", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* request("/graphql", { headers: page })).status, 403)
        assert.strictEqual((yield* request("/", { headers: page })).status, 404)
      })
    )
  })

  const checks = Effect.succeed([
    { name: "index", healthy: true, optional: false, detail: "12 documents" },
    { name: "ollama", healthy: false, optional: false, detail: "cannot read /etc/omnirag/ca.pem" }
  ])
  layer(serve({ systemStatus: { checks } }, { graphiql: true }), { excludeTestServices: true })(
    "when a part is down",
    (it) => {
      it.effect("/ready is 503 and names it; /health stays 200", () =>
        Effect.gen(function* () {
          const ready = yield* request("/ready")
          assert.strictEqual(ready.status, 503)
          assert.deepStrictEqual(JSON.parse(yield* bodyText(ready)), {
            status: "unavailable",
            checks: [
              { name: "index", healthy: true, optional: false, detail: "12 documents" },
              { name: "ollama", healthy: false, optional: false, detail: "cannot read …/ca.pem" }
            ]
          })
          assert.strictEqual((yield* request("/health")).status, 200)
        })
      )

      it.effect("the page needs nothing from elsewhere", () =>
        Effect.gen(function* () {
          // the bare address leads to it
          const response = yield* request("/", { headers: page })
          assert.isTrue(response.url.endsWith("/graphql"))
          assert.strictEqual(response.status, 200)
          const text = yield* bodyText(response)
          assert.match(response.headers.get("content-security-policy") ?? "", /^default-src 'none'/)
          assert.notMatch(text, /(?:src|href)="?https?:/)
          const graphiql = yield* request("/graphql?graphiql", { headers: page })
          assert.include(yield* bodyText(graphiql), "graphiql")
        })
      )
    }
  )
})
