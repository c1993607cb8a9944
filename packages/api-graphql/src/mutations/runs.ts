import { Indexer } from "@omnirag/core/app"
import { builder } from "../builder.ts"
import { IndexRunRef } from "../types/IndexRun.ts"

builder.mutationFields((t) => ({
  startIndex: t.field({
    type: IndexRunRef,
    description: "Starts an indexing run in the background and returns at once; see `indexProgress`.",
    args: {
      sources: t.arg.stringList({ description: "Names of the sources to look at; all by default." }),
      full: t.arg.boolean({
        defaultValue: false,
        description: "Load and chunk every file again, changed or not."
      })
    },
    resolve: (_root, args, context) =>
      context.run(
        Indexer.use((indexer) =>
          indexer.start({ sources: args.sources ?? undefined, full: args.full ?? false })
        )
      )
  }),
  cancelIndex: t.field({
    type: IndexRunRef,
    description: "Stops a run; what it has committed stays. Returns the run as it ended.",
    args: { runId: t.arg.id({ required: true, description: "Id of the run." }) },
    resolve: (_root, args, context) => context.run(Indexer.use((indexer) => indexer.cancel(args.runId)))
  })
}))
