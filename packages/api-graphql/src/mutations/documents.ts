import {
  descriptionOf,
  descriptionsOf,
  DocumentInput,
  Indexer,
  InvalidInput,
  Metadata,
  operations,
  requestBounds
} from "@omnirag/core/app"
import { Effect, Schema } from "effect"
import { bounded } from "../bounded.ts"
import { builder } from "../builder.ts"
import { DocumentRef } from "../types/refs.ts"

const inputDocs = descriptionsOf(DocumentInput)

const DocumentInputRef = builder.inputType("DocumentInput", {
  description: descriptionOf(DocumentInput),
  fields: (t) => ({
    source: t.string({
      required: true,
      description: inputDocs.source
    }),
    path: t.string({ required: true, description: inputDocs.path }),
    text: t.string({ required: true, description: inputDocs.text }),
    mediaType: t.string({ description: inputDocs.mediaType }),
    metadata: t.field({
      type: "JSON",
      description: inputDocs.metadata
    })
  })
})

const decodeMetadata = (value: unknown): Effect.Effect<Metadata, InvalidInput> =>
  Schema.decodeUnknownEffect(Metadata)(value).pipe(
    Effect.mapError(
      () =>
        new InvalidInput({
          field: "input.metadata",
          message: "input.metadata must be an object of texts, finite numbers, booleans and lists of texts"
        })
    )
  )

builder.mutationFields((t) => ({
  upsertDocument: t.field({
    type: DocumentRef,
    description: operations.upsertDocument.description,
    args: {
      input: t.arg({
        type: DocumentInputRef,
        required: true,
        description: descriptionsOf(operations.upsertDocument.arguments).input
      })
    },
    resolve: (_root, { input }, context) =>
      context.run(
        Effect.gen(function* () {
          const metadata =
            input.metadata === null || input.metadata === undefined
              ? undefined
              : yield* decodeMetadata(input.metadata)
          const indexer = yield* Indexer
          return yield* indexer.upsertDocument({
            source: input.source,
            path: input.path,
            text: input.text,
            mediaType: input.mediaType ?? undefined,
            metadata
          })
        })
      )
  }),
  deleteDocuments: t.int({
    description: operations.deleteDocuments.description,
    args: {
      ids: t.arg.idList({
        required: true,
        description: descriptionsOf(operations.deleteDocuments.arguments).ids
      })
    },
    resolve: (_root, { ids }, context) =>
      context.run(
        Effect.gen(function* () {
          yield* bounded("ids", ids.length, 0, requestBounds.ids)
          const indexer = yield* Indexer
          return yield* indexer.deleteDocuments(ids)
        })
      )
  })
}))
