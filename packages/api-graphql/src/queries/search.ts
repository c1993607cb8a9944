import { descriptionsOf, operations, requestBounds, requestDefaults, Retriever } from "@omnirag/core/app"
import { Effect } from "effect"
import { builder } from "../builder.ts"
import { perItem } from "../complexity.ts"
import { decodeFilter } from "../filterInput.ts"
import { SearchModeRef } from "../types/enums.ts"
import { ChunkFilterRef } from "../types/filters.ts"
import { SearchResultRef } from "../types/Hit.ts"

const docs = descriptionsOf(operations.search.arguments)

builder.queryField("search", (t) =>
  t.field({
    type: SearchResultRef,
    description: operations.search.description,
    args: {
      query: t.arg.string({ required: true, description: docs.query }),
      topK: t.arg.int({ defaultValue: requestDefaults.topK, description: docs.topK }),
      where: t.arg({ type: ChunkFilterRef, description: docs.where }),
      mode: t.arg({
        type: SearchModeRef,
        description: docs.mode
      }),
      rerank: t.arg.boolean({
        defaultValue: requestDefaults.rerank,
        description: docs.rerank
      })
    },
    complexity: (args) => perItem(args.topK, requestBounds.topK),
    resolve: (_root, { query, topK, where, mode, rerank }, context) =>
      context.run(
        Effect.gen(function* () {
          const filter = yield* decodeFilter(where)
          const retriever = yield* Retriever
          return yield* retriever.search({
            query,
            topK: topK ?? requestDefaults.topK,
            where: filter,
            mode: mode ?? undefined,
            rerank: rerank ?? requestDefaults.rerank
          })
        })
      )
  })
)
