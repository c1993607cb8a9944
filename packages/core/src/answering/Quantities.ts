import { scanTokens } from "../language/tokens.ts"

/** A number, with a unit glued to it or without; K, M, G and B may stand for a factor and stay part of the number. */
const quantity = /^(\d[\d,]*(?:\.\d+)?)(?![kKMGB]$)(\p{L}{0,4})$/u
const unit = /^\p{L}{1,12}$/u

const numberOf = (digits: string): string => digits.replaceAll(",", "")

/** The numbers of a text with the units they stand with, however they are written: `30s`, `30 s` and `30 seconds`. */
export class Quantities {
  /** By number: the units glued to it or behind it after a blank, in lower case; an empty one where there is none. */
  private readonly units = new Map<string, Set<string>>()

  constructor(text: string) {
    const normalized = text.normalize("NFKC")
    let before: Set<string> | undefined
    let end = 0
    scanTokens(normalized, (token) => {
      const start = normalized.indexOf(token, end)
      const isUnit = normalized.slice(end, start) === " " && unit.test(token)
      before?.add(isUnit ? token.toLowerCase() : "")
      before = undefined
      end = start + token.length
      // 1945-46 are two numbers
      for (const part of token.split("-")) {
        const [, digits, glued] = quantity.exec(part) ?? []
        if (digits === undefined) continue
        const number = numberOf(digits)
        const known = this.units.get(number) ?? new Set()
        this.units.set(number, known)
        if (glued === "") before = known
        else known.add((glued ?? "").toLowerCase())
      }
    })
    before?.add("")
  }

  /** True when the word is a number of the text, alone or with one of its units, abbreviated or not. */
  has(word: string): boolean {
    const [, digits, glued = ""] = quantity.exec(word) ?? []
    const units = digits === undefined ? undefined : this.units.get(numberOf(digits))
    if (units === undefined) return false
    const wanted = glued.toLowerCase()
    return [...units].some((known) => known.startsWith(wanted) || wanted.startsWith(known))
  }
}
