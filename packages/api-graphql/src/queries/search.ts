import { requestLimits, Retriever } from "@omnirag/core/app"
import { Effect } from "effect"
import { builder } from "../builder.ts"
import { perItem } from "../complexity.ts"
import { decodeFilter } from "../filterInput.ts"
import { SearchModeRef } from "../types/enums.ts"
import { ChunkFilterRef } from "../types/filters.ts"
import { SearchResultRef } from "../types/Hit.ts"

builder.queryField("search", (t) =>
  t.field({
    type: SearchResultRef,
    description: "Finds the chunks that match a question best.",
    args: {
      query: t.arg.string({ required: true, description: "The question, 1 … 10,000 characters." }),
      topK: t.arg.int({ defaultValue: 5, description: "How many hits, 1 … 100." }),
      where: t.arg({ type: ChunkFilterRef, description: "Which chunks to look at; all by default." }),
      mode: t.arg({
        type: SearchModeRef,
        description: "How candidates are found. By default as configured: `HYBRID`, if nothing else is."
      }),
      rerank: t.arg.boolean({
        defaultValue: false,
        description: "Reorder the hits with the configured reranker."
      })
    },
    complexity: (args) => perItem(args.topK, requestLimits.topK),
    resolve: (_root, { query, topK, where, mode, rerank }, context) =>
      context.run(
        Effect.gen(function* () {
          const filter = yield* decodeFilter(where)
          const retriever = yield* Retriever
          return yield* retriever.search({
            query,
            topK: topK ?? 5,
            where: filter,
            mode: mode ?? undefined,
            rerank: rerank ?? false
          })
        })
      )
  })
)
