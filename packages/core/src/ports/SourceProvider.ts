import { Context, type Effect, type Stream } from "effect"
import type { DocumentRefused, SourceError } from "../domain/errors.ts"

/** A file as a source lists it, before its bytes are read. */
export interface SourceFile {
  readonly _tag: "File"
  /** POSIX path below the root of the source. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  /**
   * When the file may have changed last, milliseconds since 1970-01-01 UTC. Two contents of one size and one such time are
   * taken for the same; one content with several times costs no more than reading it.
   */
  readonly modifiedAt: number
  /** Reads the bytes; refuses a file that has vanished, cannot be read, or has left the root by a link. */
  readonly read: Effect.Effect<Uint8Array, DocumentRefused>
}

/** A file the source leaves out on purpose. */
export interface SourceSkip {
  readonly _tag: "Skip"
  /** Ends with a slash when a whole folder is left out. */
  readonly path: string
  readonly reason: string
  /** The disk would not show what is here now: what an index holds at or below this path is not known to be gone. */
  readonly unreadable?: boolean | undefined
}

/** What a source lists: a file to index, or one that is left out, with the reason. */
export type SourceEntry = SourceFile | SourceSkip

/** One configured place that documents come from: a repository, usually. */
export interface Source {
  /** Unique among the sources; the first part of every document id. */
  readonly name: string
  /** Where it is, as shown to the operator. */
  readonly location: string
  /** The revision of the content (a commit id), where the source knows one. */
  readonly revision: string | null
  /** All files in a fixed order (sorted by path), lazily. */
  readonly entries: Stream.Stream<SourceEntry, SourceError>
  /**
   * Emits once when it has begun to watch, and then whenever something below may have changed, until interrupted; absent
   * where the source cannot tell. An event may be early, or about a file that is left out, and stands for any number of
   * changes: the caller waits for quiet and runs, which finds out. A run after the first event misses nothing.
   */
  readonly changes?: Stream.Stream<void, SourceError> | undefined
}

/** A configured source that is not there, with what the operator can do. */
export interface MissingSource {
  readonly name: string
  /** Where it should be, as shown to the operator. */
  readonly location: string
  /** What the operator can do, as a sentence. */
  readonly hint: string
}

/** The sources that one entry of the configuration stands for, as they are now. */
export interface OpenedSources {
  readonly sources: ReadonlyArray<Source>
  readonly missing: ReadonlyArray<MissingSource>
  /** What went wrong without making a source unusable, such as a fetch that failed while the last clone serves on. */
  readonly warnings?: ReadonlyArray<string> | undefined
}

/** What one entry under `sources:` stands for. It looks again each time, so that a later run finds what has appeared. */
export class SourceProvider extends Context.Service<
  SourceProvider,
  {
    readonly name: string
    /** `SourceError` when nothing of the entry can be read; a source that is merely not there is in `missing`. */
    readonly open: Effect.Effect<OpenedSources, SourceError>
  }
>()("@omnirag/core/ports/SourceProvider") {}
