import { readFileSync } from "node:fs"
import { join } from "node:path"
import { dataFolder } from "./support/data.ts"

/** A test collection for retrieval: documents, questions, and which documents answer which question. */
export interface Collection {
  readonly name: string
  readonly documents: ReadonlyArray<{ readonly id: string; readonly title: string; readonly text: string }>
  readonly queries: ReadonlyArray<{ readonly text: string; readonly relevant: ReadonlySet<string> }>
}

/** The folder of test data. */
export const testData = (): string => dataFolder

const read = (...path: ReadonlyArray<string>): string => readFileSync(join(dataFolder, ...path), "utf8")

/** The fields of a SMART collection file: records begin with `.I number`, fields with `.T`, `.W` and so on. */
const parseSmart = (text: string): Array<{ readonly id: string; readonly fields: Map<string, string> }> =>
  text
    .split(/^\.I\s+/m)
    .slice(1)
    .map((record) => {
      const [id = "", ...lines] = record.split("\n")
      const fields = new Map<string, string>()
      let name = ""
      for (const line of lines) {
        const field = /^\.([A-Z])\s*$/.exec(line)?.[1]
        if (field !== undefined) name = field
        else fields.set(name, `${fields.get(name) ?? ""}${line}\n`)
      }
      return { id: id.trim(), fields }
    })

const documentsOf = (text: string): Collection["documents"] =>
  parseSmart(text).map(({ id, fields }) => ({
    id,
    title: (fields.get("T") ?? "").trim(),
    text: (fields.get("W") ?? "").trim()
  }))

const judgements = (lines: string, isRelevant: (code: number) => boolean): Map<string, Set<string>> => {
  const relevant = new Map<string, Set<string>>()
  for (const line of lines.split("\n")) {
    const [query, document, code] = line.trim().split(/\s+/)
    if (query === undefined || document === undefined || !isRelevant(Number(code))) continue
    const known = relevant.get(query) ?? new Set<string>()
    relevant.set(query, known.add(document))
  }
  return relevant
}

/** Cranfield: 1,400 abstracts, 225 questions numbered by their order in the file; codes 1 … 4 are relevant. */
export const cranfield = (): Collection => {
  const relevant = judgements(read("cran", "cranqrel"), (code) => code >= 1 && code <= 4)
  return {
    name: "cranfield",
    documents: documentsOf(read("cran", "cran.all.1400")),
    queries: parseSmart(read("cran", "cran.qry")).map(({ fields }, index) => ({
      text: (fields.get("W") ?? "").trim(),
      relevant: relevant.get(String(index + 1)) ?? new Set()
    }))
  }
}

/** CISI: 1,460 abstracts, 112 questions, 76 of them judged. */
export const cisi = (): Collection => {
  const relevant = judgements(read("cisi", "CISI.REL"), () => true)
  return {
    name: "cisi",
    documents: documentsOf(read("cisi", "CISI.ALL")),
    queries: parseSmart(read("cisi", "CISI.QRY"))
      .map(({ id, fields }) => ({
        text: (fields.get("W") ?? "").trim(),
        relevant: relevant.get(id) ?? new Set<string>()
      }))
      .filter(({ relevant }) => relevant.size > 0)
  }
}
