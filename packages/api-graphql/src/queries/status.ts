import { Indexer, SystemStatus } from "@omnirag/core/app"
import { Effect } from "effect"
import { bounded, most } from "../bounded.ts"
import { builder } from "../builder.ts"
import { perItem } from "../complexity.ts"
import { IndexRunRef } from "../types/IndexRun.ts"
import { PluginInfoRef, StatusRef } from "../types/Status.ts"

builder.queryFields((t) => ({
  indexRuns: t.field({
    type: [IndexRunRef],
    description: "The latest indexing runs, newest first, the one under way included.",
    args: { first: t.arg.int({ defaultValue: 10, description: "How many, 1 … 100." }) },
    complexity: (args) => perItem(args.first, most.runs),
    resolve: (_root, args, context) =>
      context.run(
        Effect.gen(function* () {
          const first = yield* bounded("first", args.first ?? 10, 1, most.runs)
          const indexer = yield* Indexer
          return yield* indexer.runs(first)
        })
      )
  }),
  status: t.field({
    type: StatusRef,
    description: "What the system is made of and whether it works.",
    resolve: (_root, _args, context) => context.run(SystemStatus.use((system) => system.status))
  }),
  plugins: t.field({
    type: [PluginInfoRef],
    description: "The plugins the server knows.",
    resolve: (_root, _args, context) =>
      context.run(SystemStatus.use((system) => Effect.succeed(system.plugins)))
  })
}))
