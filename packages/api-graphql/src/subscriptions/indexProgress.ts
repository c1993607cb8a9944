import { descriptionsOf, Indexer, operations } from "@omnirag/core/app"
import { Effect, Stream } from "effect"
import { builder } from "../builder.ts"
import { IndexProgressRef } from "../types/IndexRun.ts"

builder.subscriptionField("indexProgress", (t) =>
  t.field({
    type: IndexProgressRef,
    description: operations.indexProgress.description,
    args: {
      runId: t.arg.id({
        required: true,
        description: descriptionsOf(operations.indexProgress.arguments).runId
      })
    },
    subscribe: (_root, args, context) =>
      context.stream(Stream.unwrap(Indexer.use((indexer) => Effect.succeed(indexer.progress(args.runId))))),
    resolve: (progress) => progress
  })
)
