/** Everything about filters under one name: how they are made, checked and applied. */
export * from "./Filter.ts"
export { compileFilter } from "./compileFilter.ts"
export { globMatcher } from "./glob.ts"
