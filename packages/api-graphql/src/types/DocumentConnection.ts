import { descriptionOf, descriptionsOf, DocumentPage, type DocumentRecord } from "@omnirag/core/app"
import { builder } from "../builder.ts"
import { countedAbove } from "../complexity.ts"
import { DocumentRef } from "./refs.ts"

const pageDocs = descriptionsOf(DocumentPage)

const PageInfoRef = builder.objectRef<DocumentPage>("PageInfo").implement({
  description: "Where a page stands in the list.",
  fields: (t) => ({
    hasNextPage: t.boolean({
      description: "True when there is more to read.",
      resolve: (page) => page.next !== null
    }),
    endCursor: t.exposeString("next", {
      nullable: true,
      description: pageDocs.next
    })
  })
})

const DocumentEdgeRef = builder.objectRef<DocumentRecord>("DocumentEdge").implement({
  description: "A document in the list.",
  fields: (t) => ({
    node: t.field({ type: DocumentRef, description: "The document.", resolve: (document) => document })
  })
})

export const DocumentConnectionRef = builder.objectRef<DocumentPage>("DocumentConnection").implement({
  description: descriptionOf(DocumentPage),
  fields: (t) => ({
    edges: t.field({
      type: [DocumentEdgeRef],
      description: "The documents, each in an edge.",
      complexity: countedAbove,
      resolve: (page) => page.documents
    }),
    nodes: t.field({
      type: [DocumentRef],
      description: pageDocs.documents,
      complexity: countedAbove,
      resolve: (page) => page.documents
    }),
    pageInfo: t.field({ type: PageInfoRef, description: "Where this page stands.", resolve: (page) => page }),
    totalCount: t.exposeInt("total", { description: pageDocs.total })
  })
})
