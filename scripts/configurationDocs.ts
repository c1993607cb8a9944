import {
  AnsweringConfig,
  IndexingConfig,
  OmniragConfig,
  pluginKinds,
  RetrievalConfig,
  ServerConfig
} from "@omnirag/core/app"
import { Option, Predicate, Schema, SchemaAST } from "effect"
import { builtInPlugins } from "@omnirag/runtime"

type Fields = Readonly<Record<string, Schema.Top>>

const hasFields = (schema: unknown): schema is { readonly fields: Fields } =>
  Predicate.hasProperty(schema, "fields") && Predicate.isObject(schema.fields)

/** What a value looks like, in the words of JSON Schema. */
const typeOf = (field: Schema.Top): string => {
  const render = (json: unknown): string => {
    if (!Predicate.isObject(json)) return "any"
    if (Array.isArray(json["enum"])) return json["enum"].map((value) => `\`${String(value)}\``).join(" \\| ")
    if (Array.isArray(json["anyOf"])) return [...new Set(json["anyOf"].map(render))].join(" \\| ")
    if (json["type"] === "array") return `list of ${render(json["items"])}`
    if (json["type"] === "object") return "mapping"
    if (json["type"] === "integer" || json["type"] === "number") {
      const bounds = Array.isArray(json["allOf"]) ? Object.assign({}, json, ...json["allOf"]) : json
      const { minimum, maximum } = bounds as { minimum?: number; maximum?: number }
      return minimum === undefined || maximum === undefined
        ? String(json["type"])
        : `${String(json["type"])} ${minimum} … ${maximum}`
    }
    return typeof json["type"] === "string" ? json["type"] : "any"
  }
  const type = Schema.make(SchemaAST.toType(field.ast))
  return render(Schema.toJsonSchemaDocument(type).schema)
}

/** The value of a field that is left out; `required` when there is none. */
const defaultOf = (name: string, field: Schema.Top): string => {
  const struct = Schema.Struct({ [name]: field as Schema.Codec<unknown, unknown> })
  const decoded = Schema.decodeUnknownOption(struct)({})
  if (Option.isNone(decoded)) return "required"
  const value = decoded.value[name]
  return value === undefined ? "" : `\`${JSON.stringify(value).replaceAll("|", "\\|")}\``
}

const descriptionOf = (field: Schema.Top): string => {
  const description = SchemaAST.resolve(field.ast)?.["description"]
  return typeof description === "string" ? description.replaceAll("|", "\\|") : ""
}

const table = (fields: Fields): string => {
  const rows = Object.entries(fields).map(
    ([name, field]) =>
      `| \`${name}\` | ${typeOf(field)} | ${defaultOf(name, field)} | ${descriptionOf(field)} |`
  )
  return ["| key | value | default | meaning |", "|---|---|---|---|", ...rows].join("\n")
}

const kindTitles: Readonly<Record<(typeof pluginKinds)[number], string>> = {
  source: "Sources (`sources:`, a list)",
  loader: "Loaders (`loaders:`, a list)",
  chunker: "Chunkers (`chunker:`)",
  embedder: "Embedders (`embedder:`)",
  vectorStore: "Vector stores (`vectorStore:`)",
  catalog: "Catalogs (`catalog:`)",
  reranker: "Rerankers (`reranker:`)",
  answers: "Answer generators (`answers:`)",
  languageModel: "Language models (`languageModel:`)"
}

const pluginSections = pluginKinds.flatMap((kind) => [
  `## ${kindTitles[kind]}`,
  ...builtInPlugins[kind].flatMap(({ name, description, options }) => [
    `### \`${name}\``,
    description.endsWith(".") ? description : `${description}.`,
    hasFields(options) && Object.keys(options.fields).length > 0 ? table(options.fields) : "No options."
  ])
])

/** The configuration reference, out of the schemas that decode the file. */
export const configurationDocs = (): string =>
  `${[
    "# Configuration",
    "<!-- Generated out of the schemas by `npm run docs`; do not edit. -->",
    "One YAML file, given with `--config FILE` (default `configs/default.yaml`). `${VAR}` stands for an environment variable, `${VAR:-default}` for one with a default, `$${` for a plain `${`. Unknown keys are errors; every fault is reported with its path. Paths are relative to the working directory. Secrets belong into the environment, never into the file.",
    "Every part is a plugin: `use` names it, `options` are its own.",
    "## Top level",
    table(OmniragConfig.fields),
    "## `server:`",
    table(ServerConfig.fields),
    "## `retrieval:`",
    table(RetrievalConfig.fields),
    "## `answering:`",
    table(AnsweringConfig.fields),
    "## `indexing:`",
    table(IndexingConfig.fields),
    ...pluginSections
  ].join("\n\n")}\n`
