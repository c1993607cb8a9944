import { descriptionsOf, Indexer, operations, requestDefaults } from "@omnirag/core/app"
import { builder } from "../builder.ts"
import { IndexRunRef } from "../types/IndexRun.ts"

const startDocs = descriptionsOf(operations.startIndex.arguments)

builder.mutationFields((t) => ({
  startIndex: t.field({
    type: IndexRunRef,
    description: operations.startIndex.description,
    args: {
      sources: t.arg.stringList({ description: startDocs.sources }),
      full: t.arg.boolean({
        defaultValue: requestDefaults.full,
        description: startDocs.full
      })
    },
    resolve: (_root, args, context) =>
      context.run(
        Indexer.use((indexer) =>
          indexer.start({ sources: args.sources ?? undefined, full: args.full ?? requestDefaults.full })
        )
      )
  }),
  cancelIndex: t.field({
    type: IndexRunRef,
    description: operations.cancelIndex.description,
    args: {
      runId: t.arg.id({ required: true, description: descriptionsOf(operations.cancelIndex.arguments).runId })
    },
    resolve: (_root, args, context) => context.run(Indexer.use((indexer) => indexer.cancel(args.runId)))
  })
}))
