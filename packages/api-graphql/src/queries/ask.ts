import { Answering, operations } from "@omnirag/core/app"
import { Effect } from "effect"
import { askArguments, askComplexity, decodeAsk } from "../askArguments.ts"
import { builder } from "../builder.ts"
import { AnswerRef } from "../types/Answer.ts"

builder.queryField("ask", (t) =>
  t.field({
    type: AnswerRef,
    description: operations.ask.description,
    args: askArguments,
    complexity: askComplexity,
    resolve: (_root, args, context) =>
      context.run(
        Effect.gen(function* () {
          const request = yield* decodeAsk(args)
          const answering = yield* Answering
          return yield* answering.ask(request)
        })
      )
  })
)
