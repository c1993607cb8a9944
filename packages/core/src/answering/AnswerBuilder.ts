import type { Answer, AnswerEvent, Citation, TokenUsage, Verdict } from "../domain/Answer.ts"
import type { Hit } from "../domain/Hit.ts"
import { type Notice, notice } from "../domain/Notice.ts"
import { evaluateAnswer } from "./evaluateAnswer.ts"
import type { AnswerPart, Passage } from "../ports/AnswerGenerator.ts"
import { CitationParser } from "./CitationParser.ts"
import { makeGroundednessCheck, type UnsupportedSentence, unsupportedSentences } from "./groundedness.ts"
import { citationOf, presentQuote } from "./quotation.ts"
import { SentenceGate, type TextEvent } from "./SentenceGate.ts"

/** What an answer says when nothing that was retrieved supports one. */
export const abstention = "I found nothing in the indexed documents that answers this question."
/** What a strict answer says in the place of its first unsupported sentence and all that follows. */
export const withheld = "The rest of the answer is withheld: the indexed documents do not bear it out."

/** Removed citations that a warning names, at most. */
const mostNamed = 20

export interface AnswerBuilderOptions {
  readonly question: string
  readonly sources: ReadonlyArray<Hit>
  /** What the generator is given; passage n is the nth source. */
  readonly passages: ReadonlyArray<Passage>
  readonly warnings: ReadonlyArray<Notice>
  /** Refuse instead of warn when a generated sentence is not supported. */
  readonly strict: boolean
}

const lowered: Record<Verdict, Verdict> = {
  excellent: "good",
  good: "weak",
  weak: "unsafe",
  unsafe: "unsafe"
}

const describe = ({ sentence, missing }: UnsupportedSentence): string =>
  `not in the passages: ${missing.join(", ")} (in: ${sentence.replace(/\s+/g, " ").slice(0, 200)})`

/**
 * Turns the parts of a generator into the events of an answer and gathers the whole answer on the way, so that the
 * streamed text and the final text are the same by construction.
 */
export class AnswerBuilder {
  private readonly options: AnswerBuilderOptions
  private readonly passages: Map<number, Passage>
  private parser: CitationParser
  private gate: SentenceGate | undefined
  private readonly citations: Array<Citation> = []
  private readonly warnings: Array<Notice>
  private readonly invalid = new Set<string>()
  private readonly unsupported: Array<UnsupportedSentence> = []
  private text = ""
  /** The part of the text that a model wrote; quotations are verbatim and need no check. */
  private generated = ""
  private abstained = false
  private refused = false
  private usage: TokenUsage | null = null

  constructor(options: AnswerBuilderOptions) {
    this.options = options
    this.passages = new Map(options.passages.map((passage) => [passage.number, passage]))
    this.warnings = [...options.warnings]
    this.parser = new CitationParser(this.passages.keys())
    this.gate = this.makeGate()
  }

  /** True when a strict answer has been refused: nothing more that a generator says will be heard. */
  get isRefused(): boolean {
    return this.refused
  }

  /** The events that a part gives rise to. */
  add(part: AnswerPart): ReadonlyArray<AnswerEvent> {
    if (this.refused) return []
    switch (part._tag) {
      case "Text":
        return this.write(this.parser.push(part.text))
      case "Quote": {
        const passage = this.passages.get(part.passage)
        if (passage === undefined) return this.write([{ _tag: "Invalid", marker: `[${part.passage}]` }])
        const citation = citationOf(passage, part.start, part.end)
        const separator = this.text === "" ? "" : "\n\n"
        return this.emit([
          { _tag: "Token", text: separator + presentQuote(citation) },
          { _tag: "CitationEvent", citation }
        ])
      }
      case "Abstain":
        return this.abstain(part.reason)
      case "Passages": {
        const shown = new Set(part.numbers)
        for (const number of this.passages.keys()) if (!shown.has(number)) this.passages.delete(number)
        this.parser = new CitationParser(this.passages.keys())
        this.gate = this.makeGate()
        return []
      }
      case "Warning":
        this.warnings.push(notice(part.message))
        return []
      case "Usage":
        this.usage = part.usage
        return []
    }
  }

  /** The last events: text that was held back, then the whole answer. */
  finish(): ReadonlyArray<AnswerEvent> {
    const rest = this.refused ? [] : [...this.write(this.parser.end()), ...this.endGate()]
    const nothing = this.abstained || this.text.trim() !== "" ? [] : this.abstain("the answer has no text")
    if (this.invalid.size > 0) {
      const named = [...this.invalid].slice(0, mostNamed)
      const more = this.invalid.size - named.length
      this.warnings.push(
        notice(
          `citations that name no passage were removed: ${named.join(", ")}${more === 0 ? "" : ` and ${more} more`}`
        )
      )
    }
    if (!this.options.strict) {
      this.unsupported.push(
        ...unsupportedSentences(this.generated, this.options.question, [...this.passages.values()])
      )
    }
    this.warnings.push(...this.unsupported.map((sentence) => notice(describe(sentence))))
    return [...rest, ...nothing, { _tag: "Done", answer: this.answer() }]
  }

  private answer(): Answer {
    const { question, sources } = this.options
    const used = this.abstained ? [] : sources.filter((_, index) => this.passages.has(index + 1))
    const evaluation = evaluateAnswer(
      question,
      used.map(({ chunk }) => chunk)
    )
    return {
      question,
      text: this.text,
      abstained: this.abstained,
      sources,
      citations: this.citations,
      evaluation:
        this.unsupported.length === 0 ? evaluation : { ...evaluation, verdict: lowered[evaluation.verdict] },
      unsupported: this.unsupported.map(({ sentence }) => sentence),
      usage: this.usage,
      warnings: this.warnings
    }
  }

  private makeGate(): SentenceGate | undefined {
    if (!this.options.strict) return undefined
    return new SentenceGate(makeGroundednessCheck(this.options.question, [...this.passages.values()]))
  }

  /** Generated text: what the parser made of it, through the gate of a strict answer. */
  private write(pieces: ReturnType<CitationParser["push"]>): ReadonlyArray<AnswerEvent> {
    const events = pieces.flatMap((piece): ReadonlyArray<TextEvent> => {
      if (piece._tag === "Text") return [{ _tag: "Token", text: piece.text }]
      const passage = piece._tag === "Marker" ? this.passages.get(piece.passage) : undefined
      if (passage === undefined) {
        this.invalid.add(piece._tag === "Invalid" ? piece.marker : `[${piece.passage}]`)
        return []
      }
      const { start, end } = passage.hit.chunk
      return [
        { _tag: "Token", text: `[${passage.number}]` },
        { _tag: "CitationEvent", citation: citationOf(passage, start, end) }
      ]
    })
    if (this.gate === undefined) return this.emitGenerated(events)
    const { released, refused } = this.gate.push(events)
    return [...this.emitGenerated(released), ...this.refuse(refused)]
  }

  private endGate(): ReadonlyArray<AnswerEvent> {
    if (this.gate === undefined || this.refused) return []
    const { released, refused } = this.gate.end()
    return [...this.emitGenerated(released), ...this.refuse(refused)]
  }

  private abstain(reason: string): ReadonlyArray<AnswerEvent> {
    this.abstained = true
    this.warnings.push(notice(reason))
    return this.emit([{ _tag: "Token", text: abstention }])
  }

  private refuse(sentence: UnsupportedSentence | undefined): ReadonlyArray<AnswerEvent> {
    if (sentence === undefined) return []
    this.refused = true
    this.abstained = true
    this.unsupported.push(sentence)
    return this.emit([{ _tag: "Token", text: this.text.trim() === "" ? abstention : `\n\n${withheld}` }])
  }

  private emitGenerated(events: ReadonlyArray<TextEvent>): ReadonlyArray<AnswerEvent> {
    for (const event of events) if (event._tag === "Token") this.generated += event.text
    return this.emit(events)
  }

  /** Records what goes out. Each range is cited once, however often it is marked. */
  private emit(events: ReadonlyArray<TextEvent>): ReadonlyArray<AnswerEvent> {
    return events.filter((event) => {
      if (event._tag === "Token") {
        this.text += event.text
        return event.text !== ""
      }
      const { chunkId, start, end } = event.citation
      const known = this.citations.some(
        (citation) => citation.chunkId === chunkId && citation.start === start && citation.end === end
      )
      if (!known) this.citations.push(event.citation)
      return !known
    })
  }
}
