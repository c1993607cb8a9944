import { Indexer } from "@omnirag/core/app"
import { Effect, Stream } from "effect"
import { builder } from "../builder.ts"
import { IndexProgressRef } from "../types/IndexRun.ts"

builder.subscriptionField("indexProgress", (t) =>
  t.field({
    type: IndexProgressRef,
    description: "The progress of a run from now until it ends; of a run that has ended, its last moment.",
    args: { runId: t.arg.id({ required: true, description: "Id of the run, as `startIndex` returned it." }) },
    subscribe: (_root, args, context) =>
      context.stream(Stream.unwrap(Indexer.use((indexer) => Effect.succeed(indexer.progress(args.runId))))),
    resolve: (progress) => progress
  })
)
