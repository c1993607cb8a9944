import { Effect, Schema } from "effect"
import { refFault, repositoryName, urlFault } from "../git/gitAddress.ts"
import { selectionOptions } from "../walk/Selection.ts"
import { SourceName } from "./sourceName.ts"

/** Options of the source `git` in the YAML file. */
export const GitOptions = Schema.Struct({
  url: Schema.NonEmptyString.annotate({
    description:
      "https://, ssh:// or user@host:path, without password, token, query or fragment: git's own mechanisms (credential helpers, SSH keys) supply logins"
  }),
  name: Schema.optionalKey(SourceName).annotate({
    description: "Name of the source in ids and filters; the name of the repository when absent"
  }),
  ref: Schema.optionalKey(Schema.NonEmptyString).annotate({
    description: "Branch, tag or commit id; the default branch when absent"
  }),
  cache: Schema.NonEmptyString.pipe(Schema.withDecodingDefaultKey(Effect.succeed("data/git"))).annotate({
    description: "Folder that holds the clones, relative to the working directory"
  }),
  timeoutSeconds: Schema.Int.pipe(
    Schema.check(Schema.isBetween({ minimum: 1, maximum: 86_400 })),
    Schema.withDecodingDefaultKey(Effect.succeed(600))
  ).annotate({ description: "Time limit of each call of git" }),
  allowLocal: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))).annotate({
    description: "Allow file:// URLs"
  }),
  ...selectionOptions
}).pipe(
  Schema.check(
    Schema.makeFilter(({ allowLocal, name, ref, url }) => {
      const faults: Array<{ readonly path: ReadonlyArray<string>; readonly issue: string }> = []
      const address = urlFault(url, allowLocal)
      if (address !== undefined) faults.push({ path: ["url"], issue: `the URL ${address}` })
      else if (name === undefined && !Schema.is(SourceName)(repositoryName(url)))
        faults.push({ path: ["name"], issue: "the URL does not tell a name; give one" })
      const reference = ref === undefined ? undefined : refFault(ref)
      if (reference !== undefined) faults.push({ path: ["ref"], issue: `"${ref}" ${reference}` })
      return faults
    })
  )
)
export type GitOptions = typeof GitOptions.Type
