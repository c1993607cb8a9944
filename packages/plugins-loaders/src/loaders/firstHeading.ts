/** Limits of the search for a heading: the longest line, the number of lines, and the length of a title. */
const maxLine = 1_000
const maxLines = 20_000
const maxTitle = 200

const fence = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const atx = /^ {0,3}#{1,6}(?:[ \t]+(.*))?$/
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/
/** Lines that are not a paragraph, so that a rule below them is not an underline. */
const notParagraph = /^(?: {4}|\t| {0,3}(?:[-*+>|<]|\d{1,9}[.)][ \t]|\[[^\]]*\]:))/

function* linesOf(text: string, start: number): Generator<string> {
  let from = start
  for (let count = 0; from < text.length && count < maxLines; count++) {
    let end = text.indexOf("\n", from)
    if (end === -1) end = text.length
    // a piece of limited length keeps the scan linear for a text with one very long line
    yield text.slice(from, Math.min(end, from + maxLine)).replace(/\r$/, "")
    from = end + 1
  }
}

/** The words of inline markdown: images and tags are removed, links and emphasis keep their text. */
const plain = (inline: string): string =>
  inline
    .replace(/[ \t]+#+[ \t]*$/, "")
    .replace(/!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])?/g, "")
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
    .replace(/<\/?[A-Za-z][^<>]*>/g, "")
    .replace(/\{#[^{}]*\}[ \t]*$/, "")
    .replace(/(?<!\\)(`+|\*\*?|~~)(?=\S)([^`*~]*?\S)\1/g, "$2")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, maxTitle)

/**
 * The words of the first heading of a markdown text from `start` on, of any level, ATX or underlined, outside fences
 * and HTML comments; undefined when there is none. A scan by lines, only for the title: chunks get their headings from
 * a CommonMark parser.
 */
export const firstHeading = (text: string, start: number): string | undefined => {
  let open: string | undefined
  let comment = false
  let paragraph = ""
  for (const line of linesOf(text, start)) {
    if (open !== undefined) {
      const closing = fence.exec(line)?.[1]
      if (closing?.startsWith(open) === true && line.trim() === closing) open = undefined
      continue
    }
    if (comment) {
      comment = !line.includes("-->")
      continue
    }
    const marker = fence.exec(line)?.[1]
    if (marker !== undefined) {
      open = marker
      paragraph = ""
      continue
    }
    if (/^ {0,3}<!--/.test(line)) {
      comment = !line.includes("-->")
      paragraph = ""
      continue
    }
    const heading = atx.exec(line)
    const words = plain(heading?.[1] ?? (underline.test(line) ? paragraph : ""))
    if (words !== "") return words
    const ends = heading !== null || line.trim() === "" || notParagraph.test(line)
    paragraph = ends ? "" : `${paragraph} ${line}`.slice(0, maxLine)
  }
  return undefined
}
