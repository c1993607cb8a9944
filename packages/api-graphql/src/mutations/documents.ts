import { Indexer, InvalidInput, Metadata } from "@omnirag/core/app"
import { Effect, Schema } from "effect"
import { bounded, most } from "../bounded.ts"
import { builder } from "../builder.ts"
import { DocumentRef } from "../types/refs.ts"

const DocumentInputRef = builder.inputType("DocumentInput", {
  description: "A document that does not come from a configured source.",
  fields: (t) => ({
    source: t.string({
      required: true,
      description: "Name to file it under. May not be the name of a configured source."
    }),
    path: t.string({ required: true, description: "POSIX path below that name; its ending tells the type." }),
    text: t.string({ required: true, description: "The text." }),
    mediaType: t.string({ description: "Media type; by default the ending of the path tells." }),
    metadata: t.field({
      type: "JSON",
      description: "Metadata: texts, numbers, booleans and lists of texts, by key."
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
    description: "Indexes a document, in place of an older version of it.",
    args: { input: t.arg({ type: DocumentInputRef, required: true, description: "The document." }) },
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
    description: "Removes documents from the index; returns how many of them there were.",
    args: { ids: t.arg.idList({ required: true, description: "Ids of the documents, at most 1000." }) },
    resolve: (_root, { ids }, context) =>
      context.run(
        Effect.gen(function* () {
          yield* bounded("ids", ids.length, 0, most.ids)
          const indexer = yield* Indexer
          return yield* indexer.deleteDocuments(ids)
        })
      )
  })
}))
