import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { VectorStore } from "@omnirag/core/app"
import { batchOf, chunkFields, clusteredVectors } from "@omnirag/core/testing"
import type { GraphOptions } from "../src/local/binding/FaissBinding.ts"
import { bindings } from "./bindings.ts"
import { collection, session, smallGraph } from "./store.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const skip = bindings.find((one) => one.binding === "addon")?.skip
const root = temporaryFolder()
let number = 0
const freshFolder = () => join(root, String(++number))
const filesOf = (folder: string) => join(folder, "vectors", collection)

const dimensions = 16
const rows = 2000
const data = clusteredVectors(rows, dimensions, 1)
const vectorAt = (i: number) => data.slice(i * dimensions, (i + 1) * dimensions)
const ids = Array.from({ length: rows }, (_, i) => `row${i}`)
const whole = () => ({ ids, fields: ids.map(() => chunkFields()), vectors: data.slice() })

/** A session with a graph, and what it warned of. */
const graphSession = <A, E>(
  folder: string,
  body: (store: VectorStore) => Effect.Effect<A, E>,
  graph: GraphOptions = smallGraph
) =>
  Effect.suspend(() => {
    const warnings: Array<string> = []
    const logger = Logger.layer([
      Logger.make(({ logLevel, message }) => {
        if (logLevel === "Warn") warnings.push(String(message))
      })
    ])
    return session(folder, body, { binding: "addon", dimensions, graph }).pipe(
      Effect.provide(logger),
      Effect.map((value) => ({ value, warnings }))
    )
  })

const made = Effect.fnUntraced(function* () {
  const folder = freshFolder()
  yield* graphSession(folder, (store) => Effect.andThen(store.upsert(whole()), store.flush))
  return folder
})

/** Every row finds itself, by the graph or by the scan. */
const findsAll = (store: VectorStore, some = 40) =>
  Effect.forEach(
    Array.from({ length: some }, (_, i) => i * Math.floor(rows / some)),
    (row) =>
      Effect.map(store.query({ vector: vectorAt(row), topK: 3 }), (hits) =>
        assert.strictEqual(hits[0]?.id, `row${row}`)
      )
  )

describe.skipIf(skip !== undefined)(
  `the graph beside the base${skip === undefined ? "" : ` (${skip})`}`,
  () => {
    it.live("is kept when the collection closes, and taken back without a word", () =>
      Effect.gen(function* () {
        const folder = yield* made()
        const path = join(filesOf(folder), "graph-1.hnsw")
        assert.isTrue(existsSync(path))
        const before = readFileSync(path)
        const { warnings } = yield* graphSession(folder, findsAll)
        assert.deepStrictEqual(warnings, [])
        // a session that writes nothing leaves it alone
        assert.isTrue(readFileSync(path).equals(before))
      })
    )

    it.live("rows of the journal are linked on top of it; a new base gets a new one", () =>
      Effect.gen(function* () {
        const folder = yield* made()
        const turned = (i: number) => vectorAt(i).map((value) => -value)
        yield* graphSession(folder, (store) =>
          Effect.gen(function* () {
            yield* store.upsert(batchOf([0, 1, 2].map((i) => ({ id: `row${i}`, vector: turned(i) }))))
            yield* store.delete(["row7"])
            yield* store.flush
          })
        )
        assert.deepStrictEqual(readdirSync(filesOf(folder)).toSorted(), [
          "fields-1.jsonl",
          "graph-1.hnsw",
          "journal-1.log",
          "manifest.json",
          "vectors-1.faiss"
        ])
        const { value, warnings } = yield* graphSession(folder, (store) =>
          Effect.gen(function* () {
            const hits = yield* store.query({ vector: turned(1), topK: 1 })
            const gone = yield* store.query({ vector: vectorAt(7), topK: 2000 })
            assert.isUndefined(gone.find((hit) => hit.id === "row7"))
            const more = Array.from({ length: 1000 }, (_, i) => ({ id: `more${i}`, vector: turned(i) }))
            for (let i = 0; i < 8; i++)
              yield* Effect.andThen(
                store.upsert(batchOf(more.map((row) => ({ ...row, id: `${row.id}/${i}` })))),
                store.flush
              )
            return hits
          })
        )
        assert.deepStrictEqual(warnings, [])
        assert.strictEqual(value[0]?.id, "row1")
        const again = yield* graphSession(folder, (store) => store.count())
        assert.deepStrictEqual(again, { value: rows - 1 + 8000, warnings: [] })
        const left = readdirSync(filesOf(folder)).filter((file) => file.endsWith(".hnsw"))
        assert.strictEqual(left.length, 1)
        assert.notStrictEqual(left[0], "graph-1.hnsw")
      })
    )

    const damages: Readonly<Record<string, readonly [RegExp, (path: string) => void]>> = {
      removed: [/is not there/, (path) => rmSync(path)],
      emptied: [/is torn/, (path) => truncateSync(path, 0)],
      "cut in half": [/fails its checksum/, (path) => truncateSync(path, readFileSync(path).length >> 1)],
      "a foreign file": [/is torn or no graph/, (path) => writeFileSync(path, "%PDF-1.7 not what you think")],
      "with a flipped bit": [
        /fails its checksum/,
        (path) => {
          const bytes = readFileSync(path)
          bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 4
          writeFileSync(path, bytes)
        }
      ]
    }
    for (const [damage, [told, inflict]] of Object.entries(damages))
      it.live(`${damage}: built anew with a warning, the hits are right, a writer keeps the new one`, () =>
        Effect.gen(function* () {
          const folder = yield* made()
          const path = join(filesOf(folder), "graph-1.hnsw")
          inflict(path)
          const { warnings } = yield* graphSession(folder, findsAll)
          assert.strictEqual(warnings.length, 1)
          assert.match(warnings[0] ?? "", told)
          assert.notInclude(warnings[0] ?? "", root)
          yield* graphSession(folder, (store) => Effect.andThen(store.delete(["row3"]), store.flush))
          const after = yield* graphSession(folder, (store) => findsAll(store))
          assert.deepStrictEqual(after.warnings, [])
        })
      )

    it.live("of another collection or other options is not used", () =>
      Effect.gen(function* () {
        const folder = yield* made()
        const other = freshFolder()
        yield* graphSession(other, (store) =>
          Effect.andThen(
            store.upsert({ ...whole(), vectors: clusteredVectors(rows, dimensions, 2) }),
            store.flush
          )
        )
        cpSync(join(filesOf(other), "graph-1.hnsw"), join(filesOf(folder), "graph-1.hnsw"))
        const swapped = yield* graphSession(folder, findsAll)
        assert.match(swapped.warnings[0] ?? "", /belongs to other vectors/)
        const changed = yield* graphSession(other, (store) => store.count(), { ...smallGraph, m: 16 })
        assert.match(changed.warnings[0] ?? "", /other options/)
      })
    )

    it.live("a flat index reads the same files", () =>
      Effect.gen(function* () {
        const folder = yield* made()
        yield* session(folder, findsAll, { binding: "addon", dimensions })
      })
    )
  }
)
