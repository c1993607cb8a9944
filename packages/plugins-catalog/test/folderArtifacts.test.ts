import { ArtifactStore, DataFolder } from "@omnirag/core/app"
import { artifactConformance } from "@omnirag/core/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { layer, newGeneration } from "./catalogLayer.ts"

artifactConformance({
  name: "the data folder",
  layer,
  damage: (generation, name, change) =>
    DataFolder.useSync(({ of }) => {
      const file = join(of(generation), "artifacts", name)
      writeFileSync(file, change(readFileSync(file)))
    })
})

const model = { bytes: Buffer.from("content"), fingerprint: "print" }

describe("an artifact in the data folder", () => {
  it.live("is one file, read into memory that threads share and numbers can be read from in place", () =>
    Effect.gen(function* () {
      const { folder, generation } = yield* newGeneration
      const artifacts = (yield* ArtifactStore).of(generation)
      for (let round = 0; round < 3; round++) yield* artifacts.put("model", model)
      assert.deepStrictEqual(readdirSync(folder), ["artifacts"])
      assert.deepStrictEqual(readdirSync(join(folder, "artifacts")), ["model"])
      const { bytes } = Option.getOrThrow(yield* artifacts.get("model"))
      assert.instanceOf(bytes.buffer, SharedArrayBuffer)
      assert.strictEqual(bytes.byteOffset, 0)
    }).pipe(Effect.provide(layer))
  )

  it.live("is replaced whatever an interrupted replacement has left", () =>
    Effect.gen(function* () {
      const { folder, generation } = yield* newGeneration
      const artifacts = (yield* ArtifactStore).of(generation)
      yield* artifacts.put("model", model)
      writeFileSync(join(folder, "artifacts", "model.0000.new"), "half of it")
      yield* artifacts.put("model", { ...model, fingerprint: "another" })
      assert.strictEqual(Option.getOrThrow(yield* artifacts.get("model")).fingerprint, "another")
    }).pipe(Effect.provide(layer))
  )

  it.live("that cannot be written or read is named without a path", () =>
    Effect.gen(function* () {
      const { folder, generation } = yield* newGeneration
      const artifacts = (yield* ArtifactStore).of(generation)
      mkdirSync(join(folder, ".."), { recursive: true })
      writeFileSync(folder, "")
      for (const error of [
        yield* Effect.flip(artifacts.put("model", model)),
        yield* Effect.flip(artifacts.get("model"))
      ]) {
        assert.strictEqual(error._tag, "CatalogError")
        assert.match(error.message, /on g-000001\/artifacts\/model in the data folder: a file is where/)
        assert.notInclude(error.message, folder)
      }
    }).pipe(Effect.provide(layer))
  )
})
