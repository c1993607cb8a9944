import { type Answer, type AnswerEvent, Answering, type Citation } from "@omnirag/core/app"
import { Effect, Stream } from "effect"
import { Argument, Command } from "effect/cli"
import { filterFlags, toFilter, warnOfUnknownRepo } from "./filterFlags.ts"
import { print, printJson, printLine, printNote } from "./output.ts"
import { printableName } from "./printable.ts"
import { withWordedWarnings, worded } from "./remedies.ts"
import { json } from "./root.ts"
import { rerank, topK } from "./searchCommand.ts"
import { withApp } from "./withApp.ts"

const describeCitation = ({ passage, documentId, startLine, endLine, headingPath }: Citation): string =>
  `[${passage}] ${printableName(documentId)}:${startLine}-${endLine}${headingPath.length === 0 ? "" : `  ${headingPath.join(" > ")}`}`

/**
 * What stands below an answer: each cited place once, and the verdict. Nothing below an abstention, which claims nothing
 * that could have support.
 */
export const describeSupport = (answer: Answer): string =>
  answer.abstained
    ? ""
    : `\n\n${[
        // several sentences of a line are several citations
        ...new Set(answer.citations.map(describeCitation)),
        `support: ${answer.evaluation.verdict} (coverage ${answer.evaluation.coverage.toFixed(2)})`
      ].join("\n")}`

const show = (event: AnswerEvent): Effect.Effect<void> => {
  switch (event._tag) {
    case "Token":
      return print(event.text)
    case "Done":
      return printLine(describeSupport(event.answer)).pipe(
        Effect.andThen(
          Effect.forEach(event.answer.warnings, (warning) => printNote(`warning: ${worded(warning)}`), {
            discard: true
          })
        )
      )
    default:
      return Effect.void
  }
}

export const askCommand = Command.make(
  "ask",
  {
    question: Argument.String("question").pipe(Argument.withDescription("The question")),
    topK,
    rerank,
    ...filterFlags,
    json
  },
  Effect.fn(function* (flags) {
    const request = {
      question: flags.question,
      topK: flags.topK,
      rerank: flags.rerank,
      where: toFilter(flags)
    }
    yield* withApp(
      Effect.gen(function* () {
        const answering = yield* Answering
        if (flags.json) return yield* printJson(withWordedWarnings(yield* answering.ask(request)))
        yield* warnOfUnknownRepo(flags.repo)
        yield* Stream.runForEach(answering.stream(request), show)
      })
    )
  })
).pipe(
  Command.withDescription("Answer a question from the indexed documents, with citations, as it is written")
)
