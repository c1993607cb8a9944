import { ChunkRef, DocumentRef } from "./refs.ts"

ChunkRef.implement({
  description:
    "A part of a document that is embedded, retrieved and cited as one. `[start, end)` is its exact range in the text of the document, in UTF-16 units.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "SHA-1 of document, page and text: the same text keeps its id." }),
    documentId: t.exposeID("documentId", { description: "The document it is a part of." }),
    document: t.field({
      type: DocumentRef,
      nullable: true,
      description: "The document it is a part of; null when that is not in the index (a preview).",
      resolve: (chunk, _args, context) => context.run(context.document(chunk.documentId))
    }),
    index: t.exposeInt("index", { description: "Position among the chunks of the document, from 0." }),
    text: t.exposeString("text", {
      description: "What is embedded: the range of the document, with the headings above it as context."
    }),
    bodyOffset: t.exposeInt("bodyOffset", {
      description: "Where in `text` the range of the document begins; it is there verbatim."
    }),
    start: t.exposeInt("start", { description: "Begin of the range, in UTF-16 units." }),
    end: t.exposeInt("end", { description: "End of the range (exclusive), in UTF-16 units." }),
    startLine: t.exposeInt("startLine", { description: "First line, from 1." }),
    endLine: t.exposeInt("endLine", { description: "Last line, from 1." }),
    headingPath: t.exposeStringList("headingPath", {
      description: "Headings it stands under, outermost first."
    }),
    page: t.exposeInt("page", { nullable: true, description: "Page, from 1; null without pages." }),
    intent: t.exposeString("intent", {
      nullable: true,
      description: "What kind of statement it makes, where the chunker classifies."
    }),
    confidence: t.exposeFloat("confidence", {
      description: "How much the chunk says, 0.1 … 1; 1 where the chunker does not judge."
    })
  })
})
