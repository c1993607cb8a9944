import { Effect, Option, Schema } from "effect"
import type { CatalogError } from "../domain/errors.ts"
import { PluginSelection } from "../plugin/PluginSelection.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"

/** Keys of the facts a catalog keeps about its generation. */
const keys = {
  /** The name of index and generation: a catalog with another, or none, is not the one that belongs here. */
  id: "generation.id",
  /** What a generation under construction is to become, so that a later run can resume it; empty once in use. */
  purpose: "generation.purpose",
  chunker: "chunker.fingerprint",
  embedder: "embedder.fingerprint",
  dimensions: "embedder.dimensions",
  selection: "embedder.selection",
  fittedChunks: "embedder.fittedChunks",
  stamp: "store.stamp",
  /** Version of the analysis whose terms a word index of the vector store holds. */
  storeTerms: "store.terms",
  /** JSON list of the sources whose documents were given through the API. */
  givenSources: "documents.givenSources"
} as const

/** Which fact. */
export type FactKey = keyof typeof keys

type Facts = Pick<Catalog, "facts">

/** A fact about a generation; null when there is none. */
export const getFact = ({ facts }: Facts, key: FactKey): Effect.Effect<string | null, CatalogError> =>
  Effect.map(facts.get(keys[key]), Option.getOrNull)

/** Writes down a fact about a generation, in the place of the one before. */
export const setFact = ({ facts }: Facts, key: FactKey, value: string): Effect.Effect<void, CatalogError> =>
  facts.set(keys[key], value)

const SelectionJson = Schema.fromJsonString(PluginSelection)

const NamesJson = Schema.fromJsonString(Schema.Array(Schema.String))

/** The sources whose documents were given through the API, and so have no disk to be compared with. */
export const getGivenSources = ({ facts }: Facts): Effect.Effect<ReadonlyArray<string>, CatalogError> =>
  Effect.map(facts.get(keys.givenSources), (json) =>
    Option.getOrElse(Option.flatMap(json, Schema.decodeOption(NamesJson)), () => [])
  )

/** The selection a generation was built with; none for one that is still empty. */
export const getSelection = ({ facts }: Facts): Effect.Effect<Option.Option<PluginSelection>, CatalogError> =>
  Effect.map(facts.get(keys.selection), Option.flatMap(Schema.decodeOption(SelectionJson)))

/** Writes down the embedder, with its options, that a generation is built with. */
export const setSelection = (
  { facts }: Facts,
  selection: PluginSelection
): Effect.Effect<void, CatalogError> => facts.set(keys.selection, JSON.stringify(selection))

/** True when two selections name the same plugin with the same options. */
export const sameSelection = (left: PluginSelection, right: PluginSelection): boolean =>
  left.use === right.use && JSON.stringify(left.options ?? {}) === JSON.stringify(right.options ?? {})
