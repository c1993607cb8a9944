import { type Hit, Retriever } from "@omnirag/core/app"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { filterFlags, toFilter, warnOfUnknownRepo } from "./filterFlags.ts"
import { printJson, printLine, printNote } from "./output.ts"
import { printableName } from "./printable.ts"
import { withWordedWarnings, worded } from "./remedies.ts"
import { json } from "./root.ts"
import { withSearch } from "./withApp.ts"

export const topK = Flag.Int("top-k").pipe(
  Flag.withAlias("k"),
  Flag.withDescription("How many hits, 1 to 100; 5 when absent"),
  Flag.withDefault(5)
)
export const rerank = Flag.Boolean("rerank").pipe(
  Flag.withDescription("Reorder the candidates with the configured reranker"),
  Flag.withDefault(false)
)

/** Where a hit is, as `repo/path:first-last line`. */
export const placeOf = ({ chunk }: Hit): string =>
  `${printableName(chunk.documentId)}:${chunk.startLine}-${chunk.endLine}`

const describeHit = (hit: Hit, index: number): string => {
  const heading = hit.chunk.headingPath.join(" > ")
  const text = hit.chunk.text.slice(0, 400).replace(/\s+/g, " ").trim()
  const places = hit.alsoInCount === 0 ? "" : `  (and in ${hit.alsoInCount} other places, see --json)`
  return `${index + 1}. ${hit.score.toFixed(3)}  ${placeOf(hit)}${heading === "" ? "" : `  ${heading}`}${places}\n   ${text}`
}

export const searchCommand = Command.make(
  "search",
  {
    query: Argument.String("query").pipe(Argument.withDescription("What to look for")),
    topK,
    mode: Flag.Literals("mode", ["hybrid", "vector", "lexical"]).pipe(
      Flag.withDescription("Which lists are searched; the configured mode when absent"),
      Flag.optional
    ),
    rerank,
    ...filterFlags,
    json
  },
  Effect.fn(function* (flags) {
    const result = yield* withSearch(
      Effect.gen(function* () {
        if (!flags.json) yield* warnOfUnknownRepo(flags.repo)
        const retriever = yield* Retriever
        return yield* retriever.search({
          query: flags.query,
          topK: flags.topK,
          mode: Option.getOrUndefined(flags.mode),
          rerank: flags.rerank,
          where: toFilter(flags)
        })
      })
    )
    if (flags.json) return yield* printJson(withWordedWarnings(result))
    yield* Effect.forEach(result.warnings, (warning) => printNote(`warning: ${worded(warning)}`))
    yield* result.hits.length === 0
      ? printNote("nothing was found")
      : printLine(result.hits.map(describeHit).join("\n\n"))
  })
).pipe(Command.withDescription("Find the chunks that match a question best"))
