/* oxlint-disable import/no-unassigned-import -- each module declares its part on the builder */
import { builder } from "./builder.ts"
import "./types/Chunk.ts"
import "./types/Document.ts"
import "./queries/search.ts"
import "./queries/ask.ts"
import "./queries/documents.ts"
import "./queries/chunks.ts"
import "./queries/evaluateAnswer.ts"
import "./queries/status.ts"
import "./mutations/runs.ts"
import "./mutations/documents.ts"
import "./subscriptions/ask.ts"
import "./subscriptions/indexProgress.ts"

/** The executable schema. `schema.graphql` is its printed form. */
export const schema = builder.toSchema()
