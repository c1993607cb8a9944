import { Effect } from "effect"
import type { VectorStoreError } from "../domain/errors.ts"
import type { VectorStore } from "../ports/VectorStoreProvider.ts"

/** All ids of a collection in the order of its pages, `limit` asked for at once. */
export const allIds = Effect.fnUntraced(function* (
  store: VectorStore,
  limit = 4096
): Effect.fn.Return<ReadonlyArray<string>, VectorStoreError> {
  const ids: Array<string> = []
  for (let after: string | undefined; ;) {
    const page = yield* store.ids({ after, limit })
    for (const id of page.ids) ids.push(id)
    if (page.next === null) return ids
    after = page.next
  }
})
