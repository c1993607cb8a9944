import { compileFilter } from "../domain/compileFilter.ts"
import type { ChunkFields, Filter } from "../domain/Filter.ts"

/** True, false, or undefined where it depends on fields that are not known. */
export type Judgement = boolean | undefined

const both = (left: Judgement, right: Judgement): Judgement =>
  left === false || right === false ? false : left === undefined || right === undefined ? undefined : true

const negate = (judgement: Judgement): Judgement => (judgement === undefined ? undefined : !judgement)

const nothing: ChunkFields = {
  documentId: "",
  repo: "",
  bundle: null,
  path: "",
  mediaType: "",
  intent: null,
  page: null,
  confidence: 1,
  metadata: {}
}

/** Whether a filter holds, judged by some fields alone (three-valued logic). */
export const judgeFilter = (filter: Filter, known: Partial<ChunkFields>): Judgement => {
  switch (filter._tag) {
    case "And":
      return filter.filters.reduce<Judgement>((all, part) => both(all, judgeFilter(part, known)), true)
    case "Or":
      return negate(
        filter.filters.reduce<Judgement>((none, part) => both(none, negate(judgeFilter(part, known))), true)
      )
    case "Not":
      return negate(judgeFilter(filter.filter, known))
    default:
      return Object.hasOwn(known, filter.field) ? compileFilter(filter)({ ...nothing, ...known }) : undefined
  }
}
