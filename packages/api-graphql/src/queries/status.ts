import {
  descriptionsOf,
  Indexer,
  operations,
  requestBounds,
  requestDefaults,
  SystemStatus
} from "@omnirag/core/app"
import { Effect } from "effect"
import { bounded } from "../bounded.ts"
import { builder } from "../builder.ts"
import { perItem } from "../complexity.ts"
import { IndexRunRef } from "../types/IndexRun.ts"
import { PluginInfoRef, StatusRef } from "../types/Status.ts"

builder.queryFields((t) => ({
  indexRuns: t.field({
    type: [IndexRunRef],
    description: operations.indexRuns.description,
    args: {
      first: t.arg.int({
        defaultValue: requestDefaults.runs,
        description: descriptionsOf(operations.indexRuns.arguments).first
      })
    },
    complexity: (args) => perItem(args.first, requestBounds.runs),
    resolve: (_root, args, context) =>
      context.run(
        Effect.gen(function* () {
          const first = yield* bounded("first", args.first ?? requestDefaults.runs, 1, requestBounds.runs)
          const indexer = yield* Indexer
          return yield* indexer.runs(first)
        })
      )
  }),
  status: t.field({
    type: StatusRef,
    description: operations.status.description,
    resolve: (_root, _args, context) => context.run(SystemStatus.use((system) => system.status))
  }),
  plugins: t.field({
    type: [PluginInfoRef],
    description: operations.plugins.description,
    resolve: (_root, _args, context) =>
      context.run(SystemStatus.use((system) => Effect.succeed(system.plugins)))
  })
}))
