import { type Schema, SchemaIssue } from "effect"
import type { ConfigFault } from "../domain/errors.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** A path as people write it: `sources[0].options.path`. */
const renderPath = (path: ReadonlyArray<unknown>): string =>
  path
    .map((part, index) =>
      typeof part === "number" ? `[${part}]` : index === 0 ? String(part) : `.${String(part)}`
    )
    .join("")

/** Messages of a schema, in the words of YAML. */
const yamlMessages: Readonly<Record<string, string>> = {
  "Expected no excess property": "unknown key",
  "Expected object": "expected a mapping, such as {key: value}",
  "Expected array": "expected a list"
}

const describe = (message: string, at: unknown): string => {
  const known = yamlMessages[message]
  if (known !== undefined) return known
  return message === "Missing key" && typeof at === "number" ? "is missing: the list is too short" : message
}

/** Every fault a schema found, each with its path; `(root)` for a fault of the whole value. */
export const schemaFaults = (error: Schema.SchemaError): ReadonlyArray<ConfigFault> =>
  format(error.issue).issues.map((issue) => {
    const path = (issue.path ?? []).map((part) => (typeof part === "object" ? part.key : part))
    return { path: renderPath(path) || "(root)", message: describe(issue.message, path.at(-1)) }
  })
