import { sourcesOf } from "../index/sourcesOf.ts"
import { Effect } from "effect"
import type { CatalogError } from "../domain/errors.ts"
import type { Catalog } from "../ports/catalog/Catalog.ts"
import { getGivenSources, setFact } from "../index/facts.ts"
import type { RunState } from "./RunState.ts"
import type { OpenedSourcesOfAll } from "../sources/Sources.ts"

/** Remembers that documents of this source come from the API. */
export const rememberGivenSource = Effect.fnUntraced(function* (catalog: Catalog, source: string) {
  const names = yield* getGivenSources(catalog)
  if (!names.includes(source)) yield* setFact(catalog, "givenSources", JSON.stringify([...names, source]))
})

/**
 * Leaves out sources of the configuration whose names belong to documents given through the API: a run would remove those,
 * as they are on no disk. A name whose given documents have all been deleted is free for a source again.
 */
export const keepGivenApart = Effect.fn("keepGivenApart")(function* (
  catalog: Catalog,
  opened: OpenedSourcesOfAll,
  state: RunState
): Effect.fn.Return<OpenedSourcesOfAll, CatalogError> {
  const given = yield* getGivenSources(catalog)
  const configured = new Set(opened.sources.map(({ name }) => name))
  const claimed = given.filter((name) => configured.has(name))
  if (claimed.length === 0) return opened
  const held = new Set((yield* sourcesOf(catalog)).map(({ name }) => name))
  const free = new Set(claimed.filter((name) => !held.has(name)))
  if (free.size > 0)
    yield* setFact(catalog, "givenSources", JSON.stringify(given.filter((name) => !free.has(name))))
  const taken = opened.sources.filter(({ name }) => claimed.includes(name) && !free.has(name))
  for (const { name } of taken)
    state.fail({
      documentId: name,
      stage: "walk",
      code: "BAD_USER_INPUT",
      message: `"${name}" holds documents given through the API, which its files would replace; give the source another \`name\`, or delete those documents first`
    })
  return {
    ...opened,
    sources: opened.sources.filter((source) => !taken.includes(source)),
    missing: [...opened.missing, ...taken.map(({ location, name }) => ({ name, location, hint: "" }))]
  }
})
