import { Schema } from "effect"
import { assert, describe, expectTypeOf, it } from "vitest"
import type * as AppDoor from "../../src/app.ts"
import { Answer, LiveAnswerEvent, Verdict } from "../../src/domain/Answer.ts"
import { descriptionOf, descriptionsOf, valueDescriptionsOf } from "../../src/domain/descriptions.ts"
import { Document } from "../../src/domain/Document.ts"
import * as records from "../../src/domain/DocumentRecord.ts"
import { DocumentInput } from "../../src/domain/DocumentInput.ts"
import { ChunkConditions, DocumentConditions } from "../../src/domain/filterConditions.ts"
import { SearchResult } from "../../src/domain/Hit.ts"
import { IndexProgress, IndexRun } from "../../src/domain/IndexRun.ts"
import * as statuses from "../../src/domain/IndexStatus.ts"
import { operations } from "../../src/domain/operations.ts"
import * as plugins from "../../src/domain/PluginInfo.ts"
import * as sources from "../../src/domain/SourceSummary.ts"

describe("descriptions", () => {
  it("are those of the annotations, by field and by value", () => {
    const Point = Schema.TaggedStruct("Point", {
      x: Schema.Int.annotate({ description: "To the right." }),
      name: Schema.optionalKey(Schema.String.annotate({ description: "What it is called." }))
    }).annotate({ description: "A place on a page." })
    assert.strictEqual(descriptionOf(Point), "A place on a page.")
    assert.deepStrictEqual(descriptionsOf(Point), { x: "To the right.", name: "What it is called." })
    assert.strictEqual(valueDescriptionsOf(Verdict).weak, "Overall below 0.5.")
  })

  it("must not be missing: the error names the field or the value", () => {
    const field = Schema.Struct({ bare: Schema.Int })
    assert.throws(() => descriptionsOf(field), 'the field "bare" has no description')
    const value = Schema.Union([Schema.Literal("bare")])
    assert.throws(() => valueDescriptionsOf(value), 'the value "bare" has no description')
  })

  for (const [name, struct] of Object.entries({
    Answer,
    Document,
    SearchResult,
    IndexRun,
    IndexProgress,
    DocumentInput,
    ChunkConditions,
    DocumentConditions,
    ...records,
    ...sources,
    ...statuses,
    PluginInfo: plugins.PluginInfo
  })) {
    it(`${name} and all its fields have one`, () => {
      assert.isNotEmpty(descriptionOf(struct, name))
      assert.isNotEmpty(Object.values(descriptionsOf<Schema.Struct.Fields>(struct)))
    })
  }

  it("every event of a live answer has one", () => {
    for (const event of LiveAnswerEvent.members) {
      assert.isNotEmpty(descriptionOf(event))
      assert.isNotEmpty(Object.values(descriptionsOf<Schema.Struct.Fields>(event)))
    }
  })

  it("every operation and each of its arguments has one", () => {
    for (const operation of Object.values(operations)) {
      assert.isNotEmpty(operation.description)
      descriptionsOf<Schema.Struct.Fields>(operation.arguments)
    }
  })
})

describe("what the domain says of itself", () => {
  it("has the search modes of the use case", () => {
    expectTypeOf<typeof operations.search.arguments.Type.mode>().toEqualTypeOf<
      AppDoor.SearchMode | undefined
    >()
  })
})
