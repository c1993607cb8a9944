import { descriptionsOf, Documents, operations } from "@omnirag/core/app"
import { Effect } from "effect"
import { builder } from "../builder.ts"
import { ChunkRef } from "../types/refs.ts"

const previewDocs = descriptionsOf(operations.previewChunks.arguments)

builder.queryFields((t) => ({
  chunk: t.field({
    type: ChunkRef,
    nullable: true,
    description: operations.chunk.description,
    args: { id: t.arg.id({ required: true, description: descriptionsOf(operations.chunk.arguments).id }) },
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
    description: operations.previewChunks.description,
    args: {
      text: t.arg.string({ required: true, description: previewDocs.text }),
      mediaType: t.arg.string({ description: previewDocs.mediaType }),
      chunker: t.arg.string({
        description: previewDocs.chunker
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
