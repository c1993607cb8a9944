import { descriptionOf, descriptionsOf, Hit, Place, SearchResult, StageScores } from "@omnirag/core/app"
import { builder } from "../builder.ts"
import { publicText } from "../remedies.ts"
import { countedAbove } from "../complexity.ts"
import { SearchModeRef } from "./enums.ts"
import { ChunkRef, DocumentRef } from "./refs.ts"

const scoresDocs = descriptionsOf(StageScores)
const StageScoresRef = builder.objectRef<StageScores>("StageScores").implement({
  description: descriptionOf(StageScores),
  fields: (t) => ({
    vector: t.exposeFloat("vector", { nullable: true, description: scoresDocs.vector }),
    lexical: t.exposeFloat("lexical", { nullable: true, description: scoresDocs.lexical }),
    fused: t.exposeFloat("fused", { nullable: true, description: scoresDocs.fused }),
    rerank: t.exposeFloat("rerank", { nullable: true, description: scoresDocs.rerank })
  })
})

const placeDocs = descriptionsOf(Place)
const PlaceRef = builder.objectRef<Place>("Place").implement({
  description: descriptionOf(Place),
  fields: (t) => ({
    chunkId: t.exposeID("chunkId", { description: placeDocs.chunkId }),
    documentId: t.exposeID("documentId", { description: placeDocs.documentId }),
    path: t.exposeString("path", { description: placeDocs.path }),
    startLine: t.exposeInt("startLine", { description: placeDocs.startLine }),
    endLine: t.exposeInt("endLine", { description: placeDocs.endLine })
  })
})

const hitDocs = descriptionsOf(Hit)
export const HitRef = builder.objectRef<Hit>("Hit").implement({
  description: descriptionOf(Hit),
  fields: (t) => ({
    chunk: t.field({ type: ChunkRef, description: hitDocs.chunk, resolve: (hit) => hit.chunk }),
    document: t.field({
      type: DocumentRef,
      nullable: true,
      description: "Its document; null when that has left the index since the search.",
      resolve: (hit, _args, context) => context.run(context.document(hit.chunk.documentId))
    }),
    repo: t.exposeString("repo", { description: hitDocs.repo }),
    bundle: t.exposeString("bundle", { nullable: true, description: hitDocs.bundle }),
    path: t.exposeString("path", { description: hitDocs.path }),
    title: t.exposeString("title", { description: hitDocs.title }),
    metadata: t.expose("metadata", { type: "JSON", description: hitDocs.metadata }),
    score: t.exposeFloat("score", { description: hitDocs.score }),
    scores: t.field({
      type: StageScoresRef,
      description: hitDocs.scores,
      resolve: (hit) => hit.scores
    }),
    alsoIn: t.field({
      type: [PlaceRef],
      description: hitDocs.alsoIn,
      resolve: (hit) => hit.alsoIn
    }),
    alsoInCount: t.exposeInt("alsoInCount", {
      description: hitDocs.alsoInCount
    })
  })
})

const resultDocs = descriptionsOf(SearchResult)
export const SearchResultRef = builder.objectRef<SearchResult>("SearchResult").implement({
  description: descriptionOf(SearchResult),
  fields: (t) => ({
    hits: t.field({
      type: [HitRef],
      description: resultDocs.hits,
      complexity: countedAbove,
      resolve: (result) => result.hits
    }),
    mode: t.expose("mode", { type: SearchModeRef, description: resultDocs.mode }),
    warnings: t.stringList({
      description: resultDocs.warnings,
      resolve: ({ warnings }) => warnings.map(publicText)
    })
  })
})
