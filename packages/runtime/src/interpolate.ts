import { Predicate } from "effect"
import { CORE_SCHEMA, load } from "js-yaml"
import type { ConfigFault } from "@omnirag/core/app"

/** The environment a configuration may refer to. */
export type Environment = Readonly<Record<string, string | undefined>>

const reference = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g
const wholeReference = /^\$\{[A-Za-z_][A-Za-z0-9_]*(?::-[^}]*)?\}$/

/** Gives the text of a plain scalar its YAML type, as if it had been written in the file. */
const retype = (text: string): unknown => {
  if (!/^(?:[-+]?[0-9][0-9.eE+-]*|true|false)$/.test(text)) return text
  const value = load(text, { schema: CORE_SCHEMA })
  return typeof value === "number" || typeof value === "boolean" ? value : text
}

/**
 * Replaces `${VAR}` and `${VAR:-default}` in every string of a parsed YAML value. An empty variable counts as unset, so
 * that `VAR=` falls back to the default. `$${` stands for `${`. A value that consists of one reference gets the type of
 * the text that replaces it. References are replaced in values only, after parsing: a variable cannot add YAML
 * structure.
 */
export const interpolate = (
  value: unknown,
  environment: Environment
): { readonly value: unknown; readonly faults: ReadonlyArray<ConfigFault> } => {
  const faults: Array<ConfigFault> = []
  const text = (template: string, path: string): unknown => {
    const replaced = template.replace(
      reference,
      (match, name: string | undefined, fallback: string | undefined) => {
        if (name === undefined) return "${"
        const found = environment[name]
        if (found !== undefined && found !== "") return found
        if (fallback !== undefined) return fallback
        faults.push({
          path,
          message: `the environment variable ${name} is not set; set it or write \${${name}:-default}`
        })
        return match
      }
    )
    return wholeReference.test(template) ? retype(replaced) : replaced
  }
  const walk = (part: unknown, path: string): unknown => {
    if (typeof part === "string") return text(part, path === "" ? "(root)" : path)
    if (Array.isArray(part)) return part.map((item, index) => walk(item, `${path}[${index}]`))
    if (Predicate.isObject(part)) {
      return Object.fromEntries(
        Object.entries(part).map(([key, item]) => [key, walk(item, path === "" ? key : `${path}.${key}`)])
      )
    }
    return part
  }
  const walked = walk(value, "")
  return { value: walked, faults }
}
