import { Chunk, descriptionOf, descriptionsOf } from "@omnirag/core/app"
import { ChunkRef, DocumentRef } from "./refs.ts"

const chunkDocs = descriptionsOf(Chunk)
ChunkRef.implement({
  description: descriptionOf(Chunk),
  fields: (t) => ({
    id: t.exposeID("id", { description: chunkDocs.id }),
    documentId: t.exposeID("documentId", { description: chunkDocs.documentId }),
    document: t.field({
      type: DocumentRef,
      nullable: true,
      description: "The document it is a part of; null when that is not in the index (a preview).",
      resolve: (chunk, _args, context) => context.run(context.document(chunk.documentId))
    }),
    index: t.exposeInt("index", { description: chunkDocs.index }),
    text: t.exposeString("text", {
      description: chunkDocs.text
    }),
    bodyOffset: t.exposeInt("bodyOffset", {
      description: chunkDocs.bodyOffset
    }),
    start: t.exposeInt("start", { description: chunkDocs.start }),
    end: t.exposeInt("end", { description: chunkDocs.end }),
    startLine: t.exposeInt("startLine", { description: chunkDocs.startLine }),
    endLine: t.exposeInt("endLine", { description: chunkDocs.endLine }),
    headingPath: t.exposeStringList("headingPath", {
      description: chunkDocs.headingPath
    }),
    page: t.exposeInt("page", { nullable: true, description: chunkDocs.page }),
    intent: t.exposeString("intent", {
      nullable: true,
      description: chunkDocs.intent
    }),
    confidence: t.exposeFloat("confidence", {
      description: chunkDocs.confidence
    })
  })
})
