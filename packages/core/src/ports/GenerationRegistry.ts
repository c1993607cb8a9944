import { Context, type Effect, type Option, type Scope, type Stream } from "effect"
import type { CatalogError, IndexCorrupt, IndexLocked } from "../domain/errors.ts"

/**
 * Knows which generations an index has, which of them answers questions, and who may write. The folder with the file
 * `CURRENT` is one; a table in a database is another.
 */
export class GenerationRegistry extends Context.Service<
  GenerationRegistry,
  {
    readonly name: string
    /** Name of the index; made when it is asked for the first time, by one of the processes that ask at once. */
    readonly index: Effect.Effect<string, CatalogError>
    /** Ids of all generations, oldest first, unfinished ones included. */
    readonly list: Effect.Effect<ReadonlyArray<string>, CatalogError>
    /** The generation that answers; none in an index that is new. `IndexCorrupt` when it is not known which one it is. */
    readonly live: Effect.Effect<Option.Option<string>, CatalogError | IndexCorrupt>
    /** Adds a generation that nobody uses yet; one that is there is no error. */
    readonly add: (id: string) => Effect.Effect<void, CatalogError>
    /** Makes this generation the live one: atomic, and durable when it returns. */
    readonly promote: (id: string) => Effect.Effect<void, CatalogError>
    /** Removes a generation with all that providers keep below it here; one that is not there is no error. */
    readonly remove: (id: string) => Effect.Effect<void, CatalogError>
    /**
     * Takes the one right to write to the index until the scope ends. The right of a process that has died is free at
     * once, or after a short lease. `IndexLocked` names the holder.
     */
    readonly lock: (holder: string) => Effect.Effect<void, IndexLocked | CatalogError, Scope.Scope>
    /**
     * Emits when another process may have promoted a generation or changed the live one. Absent where nobody tells:
     * then the registry is asked with the questions, twice a second at most.
     */
    readonly changes?: Stream.Stream<void, CatalogError>
  }
>()("@omnirag/core/ports/GenerationRegistry") {}
