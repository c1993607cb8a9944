import { sources } from "@omnirag/plugins-loaders"

/** The source plugin `git`. */
export const gitPlugin = (() => {
  const found = sources.find((candidate) => candidate.name === "git")
  if (found === undefined) throw new Error("no plugin git")
  return found
})()
