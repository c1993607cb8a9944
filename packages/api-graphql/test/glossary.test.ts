import { isEnumType, isInputObjectType, isInterfaceType, isObjectType } from "graphql"
import { assert, describe, it } from "vitest"
import { readFileSync } from "node:fs"
import { schema } from "../src/schema.ts"

const entries = readFileSync(new URL("../../../docs/glossary.md", import.meta.url), "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, word, text] = /^\*\*(.+?)\*\*: (.+)$/.exec(line) ?? []
    return word === undefined || text === undefined ? [] : [{ word, text }]
  })

/** Every name of the schema: `Type`, `Type.field`, and fields and arguments by themselves. */
const names = new Set(
  Object.values(schema.getTypeMap()).flatMap((type) => {
    if (isEnumType(type)) return [type.name, ...type.getValues().map(({ name }) => `${type.name}.${name}`)]
    if (isInputObjectType(type)) return [type.name, ...Object.keys(type.getFields())]
    if (!isObjectType(type) && !isInterfaceType(type)) return [type.name]
    return [
      type.name,
      ...Object.values(type.getFields()).flatMap((field) => [
        field.name,
        `${type.name}.${field.name}`,
        ...field.args.map(({ name }) => name)
      ])
    ]
  })
)

describe("docs/glossary.md", () => {
  it("is in the order of the alphabet, each word once", () => {
    const words = entries.map(({ word }) => word)
    assert.isAbove(words.length, 40)
    assert.deepStrictEqual(
      words,
      [...new Set(words)].toSorted((a, b) => a.localeCompare(b, "en"))
    )
  })

  it("names only what the GraphQL schema has", () => {
    const cited = entries.flatMap(({ text }) =>
      [...text.matchAll(/GraphQL: ((?:[^.`]|`[^`]+`)+)/g)].flatMap(([, list = ""]) =>
        [...list.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)
      )
    )
    assert.isAbove(cited.length, 40)
    assert.deepStrictEqual(
      cited.filter((name) => !names.has(name)),
      []
    )
  })
})
