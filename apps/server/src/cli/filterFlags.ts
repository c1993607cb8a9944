import { ChunkFilter, Documents, type Filter } from "@omnirag/core/app"
import { Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { printNote } from "./output.ts"

/** Flags that narrow a search; given together, all apply. */
export const filterFlags = {
  repo: Flag.String("repo").pipe(Flag.withDescription("Only this repository (source)"), Flag.optional),
  bundle: Flag.String("bundle").pipe(
    Flag.withDescription("Only this bundle (first folder below the root)"),
    Flag.optional
  ),
  path: Flag.String("path").pipe(Flag.withDescription("Only paths that match this glob"), Flag.optional)
}

export const toFilter = (flags: {
  readonly repo: Option.Option<string>
  readonly bundle: Option.Option<string>
  readonly path: Option.Option<string>
}): Filter | undefined => {
  const filters = [
    ...Option.toArray(Option.map(flags.repo, (repo) => ChunkFilter.equals("repo", repo))),
    ...Option.toArray(Option.map(flags.bundle, (bundle) => ChunkFilter.equals("bundle", bundle))),
    ...Option.toArray(Option.map(flags.path, (path) => ChunkFilter.compare("path", "glob", path)))
  ]
  return filters.length === 0 ? undefined : ChunkFilter.and(...filters)
}

/** Says so when nothing can be found because the index has no such repository: mostly a name misspelt. */
export const warnOfUnknownRepo = Effect.fn("warnOfUnknownRepo")(function* (repo: Option.Option<string>) {
  if (Option.isNone(repo)) return
  const sources = yield* Documents.use((documents) => documents.sources)
  const known = sources.map(({ name }) => name)
  // an index without documents is warned of by the search itself
  if (known.length === 0 || known.includes(repo.value)) return
  yield* printNote(`warning: nothing is indexed of a repository "${repo.value}"; known: ${known.join(", ")}`)
})
