import { type Documents, type DocumentRecord, type IndexError } from "@omnirag/core/app"
import { Effect, Exit, Request, RequestResolver } from "effect"

class GetDocument extends Request.Class<{ readonly id: string }, DocumentRecord | null, IndexError> {}

/**
 * Reads documents by id. Documents that a request asks for at the same time are read in one call. Null for a document
 * that is not in the index, or not any more.
 */
export const makeDocumentLoader = (documents: Documents["Service"]) => {
  const resolver = RequestResolver.make<GetDocument>((entries) =>
    documents.getMany([...new Set(entries.map((entry) => entry.request.id))]).pipe(
      Effect.map((found) => {
        const byId = new Map(found.map((document) => [document.id, document]))
        for (const entry of entries) entry.completeUnsafe(Exit.succeed(byId.get(entry.request.id) ?? null))
      })
    )
  )
  return (id: string): Effect.Effect<DocumentRecord | null, IndexError> =>
    Effect.request(new GetDocument({ id }), resolver)
}
