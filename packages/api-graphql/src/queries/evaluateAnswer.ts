import { Documents, evaluateAnswer, NotFound } from "@omnirag/core/app"
import { Effect } from "effect"
import { bounded, most } from "../bounded.ts"
import { builder } from "../builder.ts"
import { EvaluationRef } from "../types/Answer.ts"

builder.queryField("evaluateAnswer", (t) =>
  t.field({
    type: EvaluationRef,
    description: "How far chunks of the index support an answer to a question. Deterministic; asks no model.",
    args: {
      question: t.arg.string({ required: true, description: "The question." }),
      answer: t.arg.string({
        required: true,
        description: "The answer. It does not change the figures: what only the answer says supports nothing."
      }),
      chunkIds: t.arg.idList({ required: true, description: "The chunks it rests on, at most 1000." })
    },
    resolve: (_root, args, context) =>
      context.run(
        Effect.gen(function* () {
          yield* bounded("chunkIds", args.chunkIds.length, 0, most.ids)
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
