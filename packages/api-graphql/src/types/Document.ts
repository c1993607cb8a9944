import {
  descriptionOf,
  descriptionsOf,
  Document,
  DocumentRecord,
  Documents,
  operations,
  requestBounds,
  requestDefaults
} from "@omnirag/core/app"
import { Effect } from "effect"
import { bounded } from "../bounded.ts"
import { perItem } from "../complexity.ts"
import { ChunkRef, DocumentRef } from "./refs.ts"

const chunksDocs = descriptionsOf(operations.chunksOfDocument.arguments)
const documentDocs = descriptionsOf(DocumentRecord)
DocumentRef.implement({
  description: descriptionOf(DocumentRecord),
  fields: (t) => ({
    id: t.exposeID("id", { description: documentDocs.id }),
    source: t.exposeString("source", { description: documentDocs.source }),
    path: t.exposeString("path", { description: documentDocs.path }),
    bundle: t.exposeString("bundle", {
      nullable: true,
      description: documentDocs.bundle
    }),
    mediaType: t.exposeString("mediaType", { description: documentDocs.mediaType }),
    title: t.exposeString("title", { description: documentDocs.title }),
    contentHash: t.exposeString("contentHash", { description: documentDocs.contentHash }),
    metadata: t.expose("metadata", { type: "JSON", description: documentDocs.metadata }),
    revision: t.exposeString("revision", {
      nullable: true,
      description: documentDocs.revision
    }),
    length: t.exposeInt("length", { description: documentDocs.length }),
    indexedAt: t.expose("indexedAt", { type: "DateTime", description: documentDocs.indexedAt }),
    text: t.string({
      description: descriptionsOf(Document).text,
      complexity: 10,
      resolve: (document, _args, context) =>
        context.run(Documents.use((documents) => documents.text(document.id)))
    }),
    chunkCount: t.exposeInt("chunks", { description: documentDocs.chunks }),
    chunks: t.field({
      type: [ChunkRef],
      description: operations.chunksOfDocument.description,
      args: {
        first: t.arg.int({ defaultValue: requestDefaults.chunksOfDocument, description: chunksDocs.first }),
        skip: t.arg.int({ defaultValue: 0, description: chunksDocs.skip })
      },
      complexity: (args) => perItem(args.first, requestBounds.chunksOfDocument),
      resolve: (document, args, context) =>
        context.run(
          Effect.gen(function* () {
            const first = yield* bounded(
              "first",
              args.first ?? requestDefaults.chunksOfDocument,
              1,
              requestBounds.chunksOfDocument
            )
            const skip = yield* bounded("skip", args.skip ?? 0, 0, Number.MAX_SAFE_INTEGER)
            const documents = yield* Documents
            return (yield* documents.chunksOf(document.id)).slice(skip, skip + first)
          })
        )
    })
  })
})
