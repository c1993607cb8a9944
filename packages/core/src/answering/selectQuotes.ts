import type { AnswerRequest, Passage } from "../ports/AnswerGenerator.ts"
import { longestQuote, type QuotableUnit, quotableUnits } from "./quotableUnits.ts"
import { holds } from "./questionWords.ts"
import { type WeightedWord, termSet, weighQuestion } from "./weighQuestion.ts"

/** A range of a passage's document that answers a part of the question. */
export interface Quote {
  readonly passage: number
  readonly start: number
  readonly end: number
  readonly text: string
  readonly score: number
}

/** What a word counts for a unit that does not hold it itself, by where else it stands. */
const contextShare = 0.5
const beforeShare = 0.35
const afterShare = 0.25
/** What the passage as a whole adds: the words it holds, its place in the ranking. */
const passageShare = 0.75
const fusedShare = 0.25
const rankShare = 0.1
/** What code gains when the question asks how something is done, and loses when it does not. */
const codeBonus = 0.15
/** What a figure adds when the question asks for one. */
const figureBonus = 0.1
/** A further quote must reach this share of the best one's score. */
const supportShare = 0.75
/** Two quotes with more of their terms in common say the same. */
const sameShare = 0.9
/** Up to this length a quote takes in the sentence it cannot do without. */
const extendedLength = 450

const asksHow = /^\s*(?:how\s+(?:do|does|can|could|should|would|to|is|are)\b|(?:which|what)\s+command)/i
const asksFigure =
  /\bhow\s+(?:many|much|long|often|old|fast|large|big|far|high)\b|\b(?:which|what)\s+(?:version|port|number|percentage|share|year|date|minimum|maximum)\b/i
/** A sentence that begins like this speaks of something in the one before. */
const leansBack =
  /^(?:it|its|this|that|these|those|they|their|he|she|his|her|such|both|however|but|also|therefore|thus|instead|otherwise|then|so|here|there|in (?:this|that|these|such)|for this)\b/i

interface Candidate {
  readonly passage: Passage
  readonly unit: QuotableUnit
  readonly terms: ReadonlySet<string>
  readonly context: ReadonlySet<string>
  readonly before: Candidate | undefined
  after: Candidate | undefined
  readonly whole: ReadonlySet<string>
}

const candidatesOf = (passage: Passage): ReadonlyArray<Candidate> => {
  const { chunk, title } = passage.hit
  const above = [title, ...chunk.headingPath].join("\n")
  const whole = termSet(`${above}\n${chunk.text}`)
  const candidates: Array<Candidate> = []
  for (const unit of quotableUnits(chunk)) {
    const before = candidates.at(-1)
    const candidate: Candidate = {
      passage,
      unit,
      terms: termSet(unit.text),
      context: termSet(`${above}\n${unit.context}`),
      before,
      after: undefined,
      whole
    }
    if (before !== undefined) before.after = candidate
    candidates.push(candidate)
  }
  return candidates
}

/**
 * Weighs the words anew for the choice among sentences: a word that most of them hold, the subject of all passages, says
 * little about which one answers. The rarity in the index counts by its square root.
 */
const weighLocally = (
  words: ReadonlyArray<WeightedWord>,
  candidates: ReadonlyArray<Candidate>
): ReadonlyArray<WeightedWord> => {
  const count = candidates.length
  return words.map((word) => {
    const frequency = candidates.filter(({ terms }) => holds(terms, word)).length
    const local = Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5))
    return { ...word, weight: Math.sqrt(word.weight) * local ** 0.75 }
  })
}

const scoreOf = (candidate: Candidate, words: ReadonlyArray<WeightedWord>, question: string): number => {
  const { terms, context, before, after, whole, passage, unit } = candidate
  let total = 0
  let own = 0
  let score = 0
  for (const word of words) {
    total += word.weight
    if (holds(whole, word)) score += passageShare * word.weight
    if (holds(terms, word)) own += word.weight
    else if (holds(context, word)) score += contextShare * word.weight
    else if (before !== undefined && holds(before.terms, word)) score += beforeShare * word.weight
    else if (after !== undefined && holds(after.terms, word)) score += afterShare * word.weight
  }
  if (total === 0) return 0
  return (
    (own + score) / total +
    fusedShare * (passage.hit.scores.fused ?? 0) +
    rankShare / passage.number +
    (unit.kind !== "code" ? 0 : asksHow.test(question) ? codeBonus : -codeBonus) +
    (asksFigure.test(question) && /\d/.test(unit.text) ? figureBonus : 0)
  )
}

const sameTerms = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean => {
  let common = 0
  for (const term of left) if (right.has(term)) common++
  return common / Math.max(1, left.size + right.size - common) > sameShare
}

/** The range of a candidate with the sentences it leans on, and the one that leans on it. */
const rangeOf = ({ unit, before, after }: Candidate): { readonly start: number; readonly end: number } => {
  let { start, end } = unit
  if (unit.kind !== "prose") return { start, end }
  if (
    before?.unit.kind === "prose" &&
    leansBack.test(unit.text) &&
    end - before.unit.start <= extendedLength
  ) {
    start = before.unit.start
  }
  if (
    after?.unit.kind === "prose" &&
    leansBack.test(after.unit.text) &&
    after.unit.end - start <= extendedLength
  ) {
    end = after.unit.end
  }
  return { start, end }
}

/**
 * The best things to quote, best first: sentences, list items, table rows and pieces of code that hold most of the
 * question's words, themselves or by what stands around them. Ranges do not overlap, nothing is quoted twice, and none
 * is longer than `longestQuote`.
 */
export const selectQuotes = (
  { question, passages, termWeights }: AnswerRequest,
  most: number
): ReadonlyArray<Quote> => {
  const candidates = passages.flatMap(candidatesOf)
  const words = weighLocally(weighQuestion(question, termWeights), candidates)
  const ranked = candidates
    .map((candidate) => ({ candidate, score: scoreOf(candidate, words, question) }))
    .toSorted(
      (left, right) =>
        right.score - left.score ||
        left.candidate.passage.number - right.candidate.passage.number ||
        left.candidate.unit.start - right.candidate.unit.start
    )
  const best = ranked[0]?.score ?? 0
  const chosen: Array<Quote & { readonly documentId: string; readonly terms: ReadonlySet<string> }> = []
  for (const { candidate, score } of ranked) {
    if (chosen.length >= most || score < best * supportShare || score === 0) break
    if (chosen.length > 0 && !words.some((word) => word.weight > 0 && holds(candidate.terms, word))) continue
    const { chunk } = candidate.passage.hit
    const { documentId } = chunk
    const { start, end } = rangeOf(candidate)
    const taken = chosen.some(
      (other) =>
        sameTerms(other.terms, candidate.terms) ||
        (other.documentId === documentId && other.start < end && start < other.end)
    )
    if (taken) continue
    const from = start - chunk.start + chunk.bodyOffset
    chosen.push({
      passage: candidate.passage.number,
      start,
      end: Math.min(end, start + Math.max(longestQuote, candidate.unit.end - candidate.unit.start)),
      text: chunk.text.slice(from, from + end - start),
      score,
      documentId,
      terms: candidate.terms
    })
  }
  return chosen.map(({ passage, start, end, text, score }) => ({ passage, start, end, text, score }))
}
