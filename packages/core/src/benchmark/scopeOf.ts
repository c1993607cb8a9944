import { and, equals, type Filter } from "../domain/Filter.ts"

/** The filter of a case that names a repository, a bundle, or both. */
export const scopeOf = (testCase: {
  readonly repo?: string | null
  readonly bundle?: string | null
}): Filter | undefined => {
  const { repo, bundle } = testCase
  const filters = [
    ...(repo === undefined || repo === null ? [] : [equals("repo", repo)]),
    ...(bundle === undefined || bundle === null ? [] : [equals("bundle", bundle)])
  ]
  return filters.length === 0 ? undefined : and(...filters)
}
