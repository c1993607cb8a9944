import {
  descriptionsOf,
  Documents,
  evaluateAnswer,
  NotFound,
  operations,
  requestBounds
} from "@omnirag/core/app"
import { Effect } from "effect"
import { bounded } from "../bounded.ts"
import { builder } from "../builder.ts"
import { EvaluationRef } from "../types/Answer.ts"

const docs = descriptionsOf(operations.evaluateAnswer.arguments)

builder.queryField("evaluateAnswer", (t) =>
  t.field({
    type: EvaluationRef,
    description: operations.evaluateAnswer.description,
    args: {
      question: t.arg.string({ required: true, description: docs.question }),
      answer: t.arg.string({
        required: true,
        description: docs.answer
      }),
      chunkIds: t.arg.idList({ required: true, description: docs.chunkIds })
    },
    resolve: (_root, args, context) =>
      context.run(
        Effect.gen(function* () {
          yield* bounded("chunkIds", args.chunkIds.length, 0, requestBounds.ids)
          const documents = yield* Documents
          const records = yield* documents.chunks(args.chunkIds)
          const found = new Set(records.map((record) => record.chunk.id))
          const missing = args.chunkIds.find((id) => !found.has(id))
          if (missing !== undefined) return yield* new NotFound({ kind: "chunk", id: missing })
          return evaluateAnswer(
            args.question,
            records.map((record) => record.chunk)
          )
        })
      )
  })
)
