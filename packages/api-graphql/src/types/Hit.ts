import type { Hit, Place, SearchResult, StageScores } from "@omnirag/core/app"
import { builder } from "../builder.ts"
import { publicText } from "../remedies.ts"
import { countedAbove } from "../complexity.ts"
import { SearchModeRef } from "./enums.ts"
import { ChunkRef, DocumentRef } from "./refs.ts"

const StageScoresRef = builder.objectRef<StageScores>("StageScores").implement({
  description:
    "The score of each stage a hit went through; null for a stage that did not see it. Higher is better everywhere.",
  fields: (t) => ({
    vector: t.exposeFloat("vector", { nullable: true, description: "Cosine, −1 … 1." }),
    lexical: t.exposeFloat("lexical", { nullable: true, description: "BM25, from 0." }),
    fused: t.exposeFloat("fused", { nullable: true, description: "What the fusion made of the two, 0 … 1." }),
    rerank: t.exposeFloat("rerank", { nullable: true, description: "The reranker's score." })
  })
})

const PlaceRef = builder.objectRef<Place>("Place").implement({
  description: "Another place that holds the same text as a hit.",
  fields: (t) => ({
    chunkId: t.exposeID("chunkId", { description: "The chunk there." }),
    documentId: t.exposeID("documentId", { description: "The document there." }),
    path: t.exposeString("path", { description: "POSIX path below the root of its source." }),
    startLine: t.exposeInt("startLine", { description: "First line, from 1." }),
    endLine: t.exposeInt("endLine", { description: "Last line, from 1." })
  })
})

export const HitRef = builder.objectRef<Hit>("Hit").implement({
  description: "A retrieved chunk with where it comes from.",
  fields: (t) => ({
    chunk: t.field({ type: ChunkRef, description: "The chunk.", resolve: (hit) => hit.chunk }),
    document: t.field({
      type: DocumentRef,
      nullable: true,
      description: "Its document; null when that has left the index since the search.",
      resolve: (hit, _args, context) => context.run(context.document(hit.chunk.documentId))
    }),
    repo: t.exposeString("repo", { description: "Name of the source (a repository, usually)." }),
    bundle: t.exposeString("bundle", { nullable: true, description: "First folder of the path." }),
    path: t.exposeString("path", { description: "POSIX path below the root of the source." }),
    title: t.exposeString("title", { description: "Title of the document." }),
    metadata: t.expose("metadata", { type: "JSON", description: "Metadata of the document." }),
    score: t.exposeFloat("score", { description: "Score of the last stage: the order of the hits." }),
    scores: t.field({
      type: StageScoresRef,
      description: "The score of each stage.",
      resolve: (hit) => hit.scores
    }),
    alsoIn: t.field({
      type: [PlaceRef],
      description: "The first of the other places with the same text.",
      resolve: (hit) => hit.alsoIn
    }),
    alsoInCount: t.exposeInt("alsoInCount", {
      description: "How many other places of the source hold the same text, as far as the filter allows."
    })
  })
})

export const SearchResultRef = builder.objectRef<SearchResult>("SearchResult").implement({
  description: "What a search found, best first.",
  fields: (t) => ({
    hits: t.field({
      type: [HitRef],
      description: "The hits, best first.",
      complexity: countedAbove,
      resolve: (result) => result.hits
    }),
    mode: t.expose("mode", { type: SearchModeRef, description: "The mode that was used." }),
    warnings: t.stringList({
      description: "What the user should know: a stage that was skipped, an empty index.",
      resolve: ({ warnings }) => warnings.map(publicText)
    })
  })
})
