import { Schema } from "effect"

export const PluginKind = Schema.Union([
  Schema.Literal("source").annotate({ description: "Where documents come from." }),
  Schema.Literal("loader").annotate({ description: "Turns files into documents." }),
  Schema.Literal("chunker").annotate({ description: "Splits documents." }),
  Schema.Literal("embedder").annotate({ description: "Turns texts into vectors." }),
  Schema.Literal("vectorStore").annotate({ description: "Keeps and searches vectors." }),
  Schema.Literal("catalog").annotate({ description: "Keeps documents, chunks and the lexical index." }),
  Schema.Literal("reranker").annotate({ description: "Reorders hits." }),
  Schema.Literal("answers").annotate({ description: "Writes answers." }),
  Schema.Literal("languageModel").annotate({ description: "The model behind generated answers." })
]).annotate({ description: "What a plugin is for." })
export type PluginKind = typeof PluginKind.Type

/** The parts of the system that a plugin can provide. */
export const pluginKinds: ReadonlyArray<PluginKind> = PluginKind.members.map(({ literal }) => literal)

export const PluginInfo = Schema.Struct({
  kind: PluginKind.annotate({ description: "What it is for." }),
  name: Schema.String.annotate({ description: "Its name in the configuration." }),
  description: Schema.String.annotate({ description: "What it does." }),
  active: Schema.Boolean.annotate({ description: "True when the configuration uses it." })
}).annotate({ description: "A plugin the server knows." })
export interface PluginInfo extends Schema.Schema.Type<typeof PluginInfo> {}
