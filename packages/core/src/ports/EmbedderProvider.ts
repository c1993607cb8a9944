import { Context, type Effect, type Option, type Scope, type Stream } from "effect"
import type { CatalogError, EmbeddingError, IndexCorrupt } from "../domain/errors.ts"
import type { Artifacts } from "./ArtifactStore.ts"

/** What a text is embedded as: models with prefixes treat a question and a passage differently. */
export type EmbeddingRole = "query" | "document"

/** Unit vectors, one after the other. */
export interface Embeddings {
  /** How many texts. */
  readonly count: number
  /** Length of each vector. */
  readonly dimensions: number
  /** Length `count * dimensions`; row `i` belongs to text `i`; each row has the Euclidean length 1 (or is all 0 for a text the model has no words for). */
  readonly vectors: Float32Array
  /** What happened to single texts (cut, windowed), by their index. */
  readonly warnings?: ReadonlyArray<{ readonly index: number; readonly message: string }>
}

/** A model that is ready to embed. */
export interface Embedder {
  readonly name: string
  /** Length of each vector. */
  readonly dimensions: number
  /** Changes whenever the same text could get another vector: model, weights, prefixes, dimensions. */
  readonly fingerprint: string
  /**
   * Present where the model can be replaced behind the process (a server that is told to pull it anew): the fingerprint
   * of the model as it is now. Cheap, asked with every question; a model that cannot be asked for counts as the same.
   */
  readonly currentFingerprint?: Effect.Effect<string>
  /**
   * Why the next run should build a generation with a new one, though questions are well served by this one until then:
   * what it learned is of another version of the program.
   */
  readonly obsolete?: string
  /** Weight of the vector list in hybrid fusion, 0 … 1, measured for this embedder; the lexical list gets the rest. */
  readonly fusionWeight: number
  /**
   * The relevance below which passages found with it are not answered from, 0 … 1, measured for this embedder (see
   * answering/relevance.ts); a cautious one is taken where it is absent.
   */
  readonly relevanceFloor?: number
  /** Most texts it wants in one call. */
  readonly batchSize: number
  /** Calls it can serve at once. */
  readonly concurrency: number
  /**
   * One vector for each text, in order. An `EmbeddingError` fails the whole call; its `retryable` says whether a later
   * one may succeed.
   */
  readonly embed: (
    texts: ReadonlyArray<string>,
    role: EmbeddingRole
  ) => Effect.Effect<Embeddings, EmbeddingError>
}

/**
 * The configured embedder. A pretrained one is always there; one that is fitted on the corpus (`fit`) keeps what it
 * learned as an artifact of the generation it belongs to.
 */
export class EmbedderProvider extends Context.Service<
  EmbedderProvider,
  {
    readonly name: string
    /** The embedder of a generation with these artifacts; none when it has to be fitted first. */
    readonly load: (
      artifacts: Artifacts
    ) => Effect.Effect<Option.Option<Embedder>, EmbeddingError | IndexCorrupt | CatalogError, Scope.Scope>
    /** Present on embedders trained on the corpus: learns from the texts and puts the result among the artifacts. */
    readonly fit?: <E, R>(
      corpus: Stream.Stream<string, E, R>,
      artifacts: Artifacts
    ) => Effect.Effect<void, EmbeddingError | CatalogError | E, R>
    /** Share by which the corpus may grow before a fitted embedder should be fitted again; 0.5 means half. */
    readonly refitGrowth?: number
  }
>()("@omnirag/core/ports/EmbedderProvider") {}
