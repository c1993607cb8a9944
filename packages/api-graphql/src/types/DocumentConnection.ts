import type { DocumentPage, DocumentRecord } from "@omnirag/core/app"
import { builder } from "../builder.ts"
import { countedAbove } from "../complexity.ts"
import { DocumentRef } from "./refs.ts"

const PageInfoRef = builder.objectRef<DocumentPage>("PageInfo").implement({
  description: "Where a page stands in the list.",
  fields: (t) => ({
    hasNextPage: t.boolean({
      description: "True when there is more to read.",
      resolve: (page) => page.next !== null
    }),
    endCursor: t.exposeString("next", {
      nullable: true,
      description: "Pass as `after` to read on; null on the last page."
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
  description: "A page of documents, in the order of their ids.",
  fields: (t) => ({
    edges: t.field({
      type: [DocumentEdgeRef],
      description: "The documents, each in an edge.",
      complexity: countedAbove,
      resolve: (page) => page.documents
    }),
    nodes: t.field({
      type: [DocumentRef],
      description: "The documents.",
      complexity: countedAbove,
      resolve: (page) => page.documents
    }),
    pageInfo: t.field({ type: PageInfoRef, description: "Where this page stands.", resolve: (page) => page }),
    totalCount: t.exposeInt("total", { description: "Number of documents on all pages." })
  })
})
