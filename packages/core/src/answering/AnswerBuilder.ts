import type { Answer, AnswerEvent, Citation, TokenUsage } from "../domain/Answer.ts"
import { bodyOf } from "../domain/Chunk.ts"
import type { Hit } from "../domain/Hit.ts"
import { evaluateAnswer } from "../evaluation/evaluateAnswer.ts"
import type { AnswerPart, Passage } from "../ports/AnswerGenerator.ts"
import { CitationParser } from "./CitationParser.ts"

/** What an answer says when nothing that was retrieved supports one. */
export const abstention = "I found nothing in the indexed documents that answers this question."

const citationOf = ({ number, hit: { chunk, path } }: Passage, start: number, end: number): Citation => {
  const body = bodyOf(chunk)
  const before = body.slice(0, start - chunk.start)
  const quote = body.slice(start - chunk.start, end - chunk.start)
  const lines = (text: string) => (text.match(/\r\n?|\n/g) ?? []).length
  const startLine = chunk.startLine + lines(before)
  return {
    passage: number,
    chunkId: chunk.id,
    documentId: chunk.documentId,
    path,
    headingPath: chunk.headingPath,
    start,
    end,
    startLine,
    endLine: startLine + lines(quote),
    quote
  }
}

/**
 * Turns the parts of a generator into the events of an answer and gathers the whole answer on the way, so that the
 * streamed text and the final text are the same by construction.
 */
export class AnswerBuilder {
  private readonly question: string
  private readonly sources: ReadonlyArray<Hit>
  private readonly passages: Map<number, Passage>
  private parser: CitationParser
  private readonly citations: Array<Citation> = []
  private readonly warnings: Array<string>
  private readonly invalid = new Set<string>()
  private text = ""
  private abstained = false
  private usage: TokenUsage | null = null

  constructor(
    question: string,
    sources: ReadonlyArray<Hit>,
    passages: ReadonlyArray<Passage>,
    warnings: ReadonlyArray<string>
  ) {
    this.question = question
    this.sources = sources
    this.passages = new Map(passages.map((passage) => [passage.number, passage]))
    this.parser = new CitationParser(this.passages.keys())
    this.warnings = [...warnings]
  }

  /** The events that a part gives rise to. */
  add(part: AnswerPart): ReadonlyArray<AnswerEvent> {
    switch (part._tag) {
      case "Text":
        return this.parsed(this.parser.push(part.text))
      case "Quote": {
        const passage = this.passages.get(part.passage)
        if (passage === undefined) return this.parsed([{ _tag: "Invalid", marker: `[${part.passage}]` }])
        const citation = citationOf(passage, part.start, part.end)
        const separator = this.text === "" ? "" : "\n\n"
        return [this.token(`${separator}${citation.quote.trim()} [${part.passage}]`), ...this.cite(citation)]
      }
      case "Abstain":
        this.abstained = true
        this.warnings.push(part.reason)
        return [this.token(abstention)]
      case "Passages": {
        const shown = new Set(part.numbers)
        for (const number of this.passages.keys()) if (!shown.has(number)) this.passages.delete(number)
        this.parser = new CitationParser(this.passages.keys())
        return []
      }
      case "Warning":
        this.warnings.push(part.message)
        return []
      case "Usage":
        this.usage = part.usage
        return []
    }
  }

  /** The last events: text that was held back, then the whole answer. */
  finish(): ReadonlyArray<AnswerEvent> {
    const rest = this.parsed(this.parser.end())
    if (this.invalid.size > 0) {
      this.warnings.push(`citations that name no passage were removed: ${[...this.invalid].join(", ")}`)
    }
    return [...rest, { _tag: "Done", answer: this.answer() }]
  }

  private answer(): Answer {
    const used = this.abstained ? [] : this.sources.filter((_, index) => this.passages.has(index + 1))
    return {
      question: this.question,
      text: this.text,
      abstained: this.abstained,
      sources: this.sources,
      citations: this.citations,
      evaluation: evaluateAnswer(
        this.question,
        used.map(({ chunk }) => chunk)
      ),
      usage: this.usage,
      warnings: this.warnings
    }
  }

  private parsed(pieces: ReturnType<CitationParser["push"]>): ReadonlyArray<AnswerEvent> {
    return pieces.flatMap((piece): ReadonlyArray<AnswerEvent> => {
      if (piece._tag === "Text") return [this.token(piece.text)]
      if (piece._tag === "Invalid") {
        this.invalid.add(piece.marker)
        return []
      }
      const passage = this.passages.get(piece.passage)
      if (passage === undefined) return []
      const { start, end } = passage.hit.chunk
      return [this.token(`[${piece.passage}]`), ...this.cite(citationOf(passage, start, end))]
    })
  }

  private token(text: string): AnswerEvent {
    this.text += text
    return { _tag: "Token", text }
  }

  /** Each range is cited once, however often it is marked. */
  private cite(citation: Citation): ReadonlyArray<AnswerEvent> {
    const known = this.citations.some(
      ({ chunkId, start, end }) =>
        chunkId === citation.chunkId && start === citation.start && end === citation.end
    )
    if (known) return []
    this.citations.push(citation)
    return [{ _tag: "CitationEvent", citation }]
  }
}
