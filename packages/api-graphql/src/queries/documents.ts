import { Documents, readLimits } from "@omnirag/core/app"
import { Effect } from "effect"
import { builder } from "../builder.ts"
import { perItem } from "../complexity.ts"
import { decodeFilter } from "../filterInput.ts"
import { DocumentConnectionRef } from "../types/DocumentConnection.ts"
import { DocumentFilterRef } from "../types/filters.ts"
import { DocumentRef } from "../types/refs.ts"
import { SourceRef } from "../types/Status.ts"

builder.queryFields((t) => ({
  document: t.field({
    type: DocumentRef,
    nullable: true,
    description: "The document with this id; null when there is none.",
    args: { id: t.arg.id({ required: true, description: "Source name, a slash, and the path." }) },
    resolve: (_root, args, context) => context.run(context.document(args.id))
  }),
  documents: t.field({
    type: DocumentConnectionRef,
    description: "The indexed documents, in the order of their ids.",
    args: {
      where: t.arg({ type: DocumentFilterRef, description: "Which documents; all by default." }),
      first: t.arg.int({ defaultValue: 50, description: "How many, 1 … 1000." }),
      after: t.arg.string({ description: "`pageInfo.endCursor` of the page before." })
    },
    complexity: (args) => perItem(args.first, readLimits.first),
    resolve: (_root, args, context) =>
      context.run(
        Effect.gen(function* () {
          const where = yield* decodeFilter(args.where)
          const documents = yield* Documents
          return yield* documents.list({ where, first: args.first ?? 50, after: args.after ?? undefined })
        })
      )
  }),
  sources: t.field({
    type: [SourceRef],
    description: "The sources with what is indexed of each.",
    resolve: (_root, _args, context) => context.run(Documents.use((documents) => documents.sources))
  })
}))
