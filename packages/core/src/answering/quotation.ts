import type { Citation } from "../domain/Answer.ts"
import { bodyOf } from "../domain/Chunk.ts"
import type { Passage } from "../ports/AnswerGenerator.ts"

const lineBreaks = (text: string): number => (text.match(/\r\n?|\n/g) ?? []).length

/** The citation of `[start, end)` of a passage's document; the range is held to that of the passage. */
export const citationOf = ({ number, hit: { chunk, path } }: Passage, from: number, to: number): Citation => {
  const start = Math.min(Math.max(from, chunk.start), chunk.end)
  const end = Math.min(Math.max(to, start), chunk.end)
  const body = bodyOf(chunk)
  const quote = body.slice(start - chunk.start, end - chunk.start)
  const startLine = chunk.startLine + lineBreaks(body.slice(0, start - chunk.start))
  return {
    passage: number,
    chunkId: chunk.id,
    documentId: chunk.documentId,
    path,
    headingPath: chunk.headingPath,
    start,
    end,
    startLine,
    endLine: startLine + lineBreaks(quote),
    quote
  }
}

const fenceLine = /^[\s>]*(?:[-*+]\s+|\d{1,9}[.)]\s+)?(`{3,}|~{3,})/
const blockEnd = /(?:^|\n)[\s>]*(?:\|[^\n]*|(?:`{3,}|~{3,})[ \t]*)$/

/** The mark that closes the fence a text leaves open; empty when it leaves none. */
const openFence = (text: string): string => {
  let open = ""
  for (const line of text.split("\n")) {
    const mark = fenceLine.exec(line)?.[1] ?? ""
    if (open === "") open = mark
    else if (mark.startsWith(open)) open = ""
  }
  return open
}

/**
 * A quotation as it stands in an answer: verbatim, followed by its marker. A fence that was cut is closed, and behind a
 * fence or a table the marker has a line of its own, or it would become a part of them.
 */
export const presentQuote = ({ quote, passage }: Citation): string => {
  const text = quote.trim()
  const open = openFence(text)
  const closed = open === "" ? text : `${text}\n${open}`
  return `${closed}${blockEnd.test(closed) ? "\n\n" : " "}[${passage}]`
}
