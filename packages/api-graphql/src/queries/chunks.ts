import { Documents } from "@omnirag/core/app"
import { Effect } from "effect"
import { builder } from "../builder.ts"
import { ChunkRef } from "../types/refs.ts"

builder.queryFields((t) => ({
  chunk: t.field({
    type: ChunkRef,
    nullable: true,
    description: "The chunk with this id; null when there is none.",
    args: { id: t.arg.id({ required: true, description: "Id of the chunk." }) },
    resolve: (_root, args, context) =>
      context.run(
        Documents.use((documents) => documents.chunk(args.id)).pipe(
          Effect.map((record) => record.chunk),
          Effect.catchTag("NotFound", () => Effect.succeed(null))
        )
      )
  }),
  previewChunks: t.field({
    type: [ChunkRef],
    description: "Chunks a text as indexing would, without indexing it.",
    args: {
      text: t.arg.string({ required: true, description: "The text." }),
      mediaType: t.arg.string({ description: "Its media type; `text/markdown` by default." }),
      chunker: t.arg.string({
        description: "Name of a chunker plugin, with its default options; the configured one by default."
      })
    },
    resolve: (_root, args, context) =>
      context.run(
        Documents.use((documents) =>
          documents.preview({
            text: args.text,
            mediaType: args.mediaType ?? undefined,
            chunker: args.chunker ?? undefined
          })
        )
      )
  })
}))
