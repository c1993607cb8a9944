import { Context, Effect, Layer } from "effect"
import { compileFilter } from "../domain/compileFilter.ts"
import { bundleOf } from "../domain/Document.ts"
import type { DocumentRecord } from "../domain/DocumentRecord.ts"
import { Forbidden } from "../domain/errors.ts"
import { and, type ChunkFields, type Filter } from "../domain/Filter.ts"
import { type Action, AccessPolicy } from "./AccessPolicy.ts"
import { CurrentCaller } from "./Caller.ts"
import { fieldsOfDocument } from "./fieldsOfDocument.ts"
import { judgeFilter } from "./judgeFilter.ts"

/** What the current caller sees, in the forms that use cases need. */
export interface View {
  /** True when there is nothing that the caller does not see. */
  readonly everything: boolean
  /** The filter of a request with what the policy adds to it: for every read that takes a filter. */
  readonly within: (where?: Filter) => Filter | undefined
  /** For what was read by its id. */
  readonly seesFields: (fields: ChunkFields) => boolean
  /** The same for a document. */
  readonly seesDocument: (document: DocumentRecord) => boolean
  /** True when it is certain by its id alone that the caller sees a document: for what names documents that are not there. */
  readonly seesId: (documentId: string) => boolean
  /** False when it is certain that the caller sees nothing of a source. */
  readonly mayKnowSource: (name: string) => boolean
  /** True when the caller sees all of a source. */
  readonly seesSource: (name: string) => boolean
}

const knownOf = (documentId: string): Partial<ChunkFields> => {
  const slash = documentId.indexOf("/")
  if (slash === -1) return { repo: documentId }
  const path = documentId.slice(slash + 1)
  return { documentId, repo: documentId.slice(0, slash), path, bundle: bundleOf(path) }
}

const viewOf = (filter: Filter | null): View => {
  if (filter === null) {
    const yes = () => true
    return {
      everything: true,
      within: (where) => where,
      seesFields: yes,
      seesDocument: yes,
      seesId: yes,
      mayKnowSource: yes,
      seesSource: yes
    }
  }
  const matches = compileFilter(filter)
  return {
    everything: false,
    within: (where) => (where === undefined ? filter : and(where, filter)),
    seesFields: matches,
    seesDocument: (document) => matches(fieldsOfDocument(document)),
    seesId: (documentId) => judgeFilter(filter, knownOf(documentId)) === true,
    mayKnowSource: (name) => judgeFilter(filter, { repo: name }) !== false,
    seesSource: (name) => judgeFilter(filter, { repo: name }) === true
  }
}

/** Turns the policy into what is enforced for the caller of the use case under way. */
export class Access extends Context.Service<
  Access,
  {
    /** What the caller of the use case under way sees. */
    readonly view: Effect.Effect<View>
    /** Fails with `Forbidden` when the policy does not permit the action. */
    readonly require: (action: Action) => Effect.Effect<void, Forbidden>
    /** The same for what looks at the whole index: only for callers who see everything. */
    readonly requireWhole: Effect.Effect<void, Forbidden>
  }
>()("@omnirag/core/access/Access") {
  static readonly layer = Layer.effect(
    Access,
    Effect.gen(function* () {
      const policy = yield* AccessPolicy
      const view = Effect.gen(function* () {
        return viewOf(yield* policy.visible(yield* CurrentCaller))
      })
      const require = Effect.fnUntraced(function* (action: Action): Effect.fn.Return<void, Forbidden> {
        if (!(yield* policy.permits(yield* CurrentCaller, action))) return yield* new Forbidden({ action })
      })
      const requireWhole = Effect.gen(function* () {
        yield* require("operate")
        if (!(yield* view).everything) return yield* new Forbidden({ action: "operate" })
      })
      return Access.of({ view, require, requireWhole })
    })
  )
}
