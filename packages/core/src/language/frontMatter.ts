import { CORE_SCHEMA, load, YAMLException } from "js-yaml"
import type { Metadata, MetadataValue } from "../domain/Document.ts"

/** Front matter longer than this (UTF-16 units) counts as text. */
const maxLength = 65_536
/** Values beyond this number are left out: with aliases, a short block can expand to an endless number of values. */
const maxValues = 1_000
const maxDepth = 16

/** The metadata at the beginning of a document, and where its text begins. */
export interface FrontMatter {
  readonly metadata: Metadata
  /** Offset (UTF-16 units) of the first character of the text; 0 where there is no front matter. */
  readonly end: number
}

const none: FrontMatter = { metadata: {}, end: 0 }

const lineBreak = /\r\n|\r|\n/g
const opening = /^\uFEFF?---[ \t]*(?:\r\n|\r|\n)/
const closing = /^(?:---|\.\.\.)[ \t]*$/

/** Where the YAML ends and where the line after the closing delimiter begins. */
const findClosing = (
  text: string,
  from: number
): { readonly yamlEnd: number; readonly end: number } | null => {
  let line = from
  while (line <= Math.min(text.length, from + maxLength)) {
    lineBreak.lastIndex = line
    const found = lineBreak.exec(text)
    const lineEnd = found === null ? text.length : found.index
    if (lineEnd - line > maxLength) return null
    if (closing.test(text.slice(line, lineEnd))) {
      return { yamlEnd: line, end: found === null ? text.length : lineBreak.lastIndex }
    }
    if (found === null) return null
    line = lineBreak.lastIndex
  }
  return null
}

const scalar = (value: unknown): string | number | boolean | null =>
  typeof value === "string" || typeof value === "boolean"
    ? value
    : typeof value === "number"
      ? Number.isFinite(value)
        ? value
        : String(value)
      : typeof value === "bigint"
        ? String(value)
        : null

const flatten = (root: object): Metadata => {
  const found = new Map<string, MetadataValue>()
  let visited = 0
  const visit = (key: string, value: unknown, depth: number): void => {
    if (depth > maxDepth || visited >= maxValues) return
    visited++
    if (typeof value !== "object" || value === null) {
      const flat = scalar(value)
      if (flat !== null) found.set(key, flat)
    } else if (Array.isArray(value) && value.every((entry) => typeof entry !== "object" || entry === null)) {
      const entries = value.slice(0, maxValues).map(scalar)
      found.set(key, entries.filter((entry) => entry !== null).map(String))
    } else {
      for (const [name, entry] of Object.entries(value)) visit(`${key}.${name}`, entry, depth + 1)
    }
  }
  for (const [name, entry] of Object.entries(root)) visit(name, entry, 0)
  return Object.fromEntries(found)
}

const parseYaml = (yaml: string): unknown => {
  try {
    return load(yaml, { schema: CORE_SCHEMA, json: true, maxAliases: 100 })
  } catch (error) {
    // not YAML, so not front matter: the caller keeps it as text and nothing is lost
    if (error instanceof YAMLException) return undefined
    throw error
  }
}

/**
 * Finds and parses the front matter of a document: a YAML mapping between a first line `---` and a line `---` or `...`
 * (64 kB at most; a byte-order mark before it is skipped).
 *
 * Nested values get dotted keys (`author.name`, `links.0.url`), lists of scalars become lists of strings, nulls are
 * left out. A block that is not a YAML mapping (a thematic break at the start of a text, a fault in the YAML) is not
 * front matter: `end` is 0 and all of it is text.
 */
export const frontMatter = (text: string): FrontMatter => {
  const start = opening.exec(text)?.[0].length
  if (start === undefined) return none
  const found = findClosing(text, start)
  if (found === null) return none
  const yaml = text.slice(start, found.yamlEnd)
  if (yaml.trim() === "") return { metadata: {}, end: found.end }
  const value = parseYaml(yaml)
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? { metadata: flatten(value), end: found.end }
    : none
}
