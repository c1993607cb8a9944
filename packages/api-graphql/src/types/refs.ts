import type { Chunk, DocumentRecord } from "@omnirag/core/app"
import { builder } from "../builder.ts"

/** Chunks and documents refer to each other; each is declared in its own file. */
export const ChunkRef = builder.objectRef<Chunk>("Chunk")
export const DocumentRef = builder.objectRef<DocumentRecord>("Document")
