/** `[start, end)` in UTF-16 units, without white space at either end. */
export interface SentenceRange {
  readonly start: number
  readonly end: number
}

const abbreviations: ReadonlySet<string> = new Set(
  `al approx art ca cf ch chap col dept diff dr ed eds eq eqs est ex fig figs ft gen gov hon hr incl jr lt max min mr
  mrs ms mt no nos nr op p par pp prof ref refs resp rev sec sect sr st tab univ viz vol vols vs`.split(/\s+/)
)

const blank = /^\s*$/
const fence = /^[\s>]*(?:[-*+]\s+|\d{1,9}[.)]\s+)?(`{3,}|~{3,})/
const heading = /^ {0,3}#{1,6}(?:\s|$)/
const rule = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|=+[ \t]*|-{2,}[ \t]*)$/
const item = /^[\s>]*(?:[-*+]|\d{1,9}[.)])\s+/
const tableRow = /^[\s>]*\|/
const tableDelimiter = /^\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+$/

const closers = /["'”’»)\]}*_」』）】》〉]/
const fullStop = /[。！？｡]/
const opensSentence = /[\p{Lu}\p{Lt}\p{Lo}\p{N}"'“‘«([*_`#<\p{Extended_Pictographic}]/u

/** True when the dot at `dot` ends a sentence, and not an abbreviation or initial, judged by the word before it. */
const isFinalDot = (text: string, start: number, dot: number): boolean => {
  let from = dot
  while (from > start && dot - from < 16 && /[\p{L}\p{N}.]/u.test(text.charAt(from - 1))) from--
  const word = text.slice(from, dot)
  return !(
    abbreviations.has(word.toLowerCase()) ||
    /^\p{Lu}$/u.test(word) || // an initial
    /^(?:\p{L}\.)+\p{L}$/u.test(word) // e.g, i.e, U.S
  )
}

/** Splits running text: the paragraph or list item in `[start, end)`; `from` is the end of its marker. */
const splitParagraph = (
  text: string,
  start: number,
  from: number,
  end: number,
  emit: (start: number, end: number) => void
): void => {
  let begin = start
  let code = ""
  for (let index = from; index < end; index++) {
    const character = text.charAt(index)
    if (character === "`") {
      let run = index + 1
      while (run < end && text.charAt(run) === "`") run++
      const ticks = text.slice(index, run)
      if (code === "") code = ticks
      else if (code === ticks) code = ""
      index = run - 1
      continue
    }
    const full = fullStop.test(character)
    if (!full && character !== "." && character !== "!" && character !== "?") continue
    // code is never divided; a back-tick that is not closed in its paragraph does not begin code
    if (code !== "" && text.slice(index, end).includes(code)) {
      index = text.indexOf(code, index) - 1
      continue
    }
    code = ""
    let after = index + 1
    while (after < end && (/[.!?]/.test(text.charAt(after)) || fullStop.test(text.charAt(after)))) after++
    while (after < end && closers.test(text.charAt(after))) after++
    let next = after
    while (next < end && /[\s>]/.test(text.charAt(next))) next++
    if (!full && next < end) {
      const following = String.fromCodePoint(text.codePointAt(next) ?? 0)
      const spaced = /\s/.test(text.charAt(index - 1))
      if (next === after || (!spaced && !opensSentence.test(following))) {
        index = after - 1
        continue
      }
      if (character === "." && after === index + 1 && !spaced && !isFinalDot(text, begin, index)) continue
    }
    emit(begin, after)
    begin = next
    index = next - 1
  }
  emit(begin, end)
}

/**
 * The sentences of a text, in order and without overlap. Knows enough markdown for answers that quote: a fence, a table
 * row and a heading are one sentence each and are never divided, a list item ends at the next one, rules are left out.
 * A dot does not end a sentence in `e.g.`, `Dr.`, `3.11`, `file.ts` or between back-ticks; the full stops of Chinese
 * and Japanese need no space after them. The time is linear in the length.
 */
export const sentences = (text: string): Array<SentenceRange> => {
  const found: Array<SentenceRange> = []
  const emit = (start: number, end: number): void => {
    while (start < end && /\s/.test(text.charAt(start))) start++
    while (end > start && /\s/.test(text.charAt(end - 1))) end--
    if (start < end) found.push({ start, end })
  }

  let paragraph = -1
  let body = -1
  let last = 0
  const close = (): void => {
    if (paragraph !== -1) splitParagraph(text, paragraph, body, last, emit)
    paragraph = -1
  }

  let fenceStart = -1
  let fenceMark = ""
  let table = false
  let lineStart = 0
  while (lineStart < text.length) {
    const newline = text.indexOf("\n", lineStart)
    const lineEnd = newline === -1 ? text.length : newline
    const line = text.slice(lineStart, lineEnd)
    const mark = fence.exec(line)?.[1]
    if (fenceStart !== -1) {
      if (mark?.startsWith(fenceMark) === true && line.trimEnd().endsWith(mark)) {
        emit(fenceStart, lineEnd)
        fenceStart = -1
      }
    } else if (mark !== undefined && !line.slice(line.indexOf(mark) + mark.length).includes("`")) {
      close()
      fenceStart = lineStart
      fenceMark = mark
    } else if (blank.test(line)) {
      close()
      table = false
    } else if (tableDelimiter.test(line)) {
      // the header row is the line before
      if (paragraph !== -1) emit(paragraph, last)
      paragraph = -1
      table = true
      emit(lineStart, lineEnd)
    } else if (heading.test(line) || tableRow.test(line) || (table && line.includes("|"))) {
      close()
      emit(lineStart, lineEnd)
    } else if (rule.test(line)) {
      close()
    } else {
      const marker = item.exec(line)?.[0]
      if (marker !== undefined) close()
      if (paragraph === -1) {
        paragraph = lineStart
        body = lineStart + (marker?.length ?? 0)
      }
      last = lineEnd
    }
    lineStart = lineEnd + 1
  }
  close()
  if (fenceStart !== -1) emit(fenceStart, text.length)
  return found
}
