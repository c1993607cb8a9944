import { descriptionsOf, Documents, operations, requestBounds, requestDefaults } from "@omnirag/core/app"
import { Effect } from "effect"
import { builder } from "../builder.ts"
import { perItem } from "../complexity.ts"
import { decodeFilter } from "../filterInput.ts"
import { DocumentConnectionRef } from "../types/DocumentConnection.ts"
import { DocumentFilterRef } from "../types/filters.ts"
import { DocumentRef } from "../types/refs.ts"
import { SourceRef } from "../types/Status.ts"

const listDocs = descriptionsOf(operations.documents.arguments)

builder.queryFields((t) => ({
  document: t.field({
    type: DocumentRef,
    nullable: true,
    description: operations.document.description,
    args: { id: t.arg.id({ required: true, description: descriptionsOf(operations.document.arguments).id }) },
    resolve: (_root, args, context) => context.run(context.document(args.id))
  }),
  documents: t.field({
    type: DocumentConnectionRef,
    description: operations.documents.description,
    args: {
      where: t.arg({ type: DocumentFilterRef, description: listDocs.where }),
      first: t.arg.int({ defaultValue: requestDefaults.documents, description: listDocs.first }),
      after: t.arg.string({ description: listDocs.after })
    },
    complexity: (args) => perItem(args.first, requestBounds.documents),
    resolve: (_root, args, context) =>
      context.run(
        Effect.gen(function* () {
          const where = yield* decodeFilter(args.where)
          const documents = yield* Documents
          return yield* documents.list({
            where,
            first: args.first ?? requestDefaults.documents,
            after: args.after ?? undefined
          })
        })
      )
  }),
  sources: t.field({
    type: [SourceRef],
    description: operations.sources.description,
    resolve: (_root, _args, context) => context.run(Documents.use((documents) => documents.sources))
  })
}))
