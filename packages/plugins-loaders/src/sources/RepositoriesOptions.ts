import { Effect, Schema } from "effect"
import { selectionOptions } from "../walk/Selection.ts"
import { SourceName } from "./sourceName.ts"

/** Options of the source `repositories` in the YAML file. */
export const RepositoriesOptions = Schema.Struct({
  base: Schema.NonEmptyString.annotate({
    description: "The folder that holds the repositories, relative to the working directory"
  }),
  names: Schema.NonEmptyArray(SourceName)
    .pipe(
      Schema.check(
        Schema.makeFilter((names: ReadonlyArray<string>) => {
          const twice = names.find((name, index) => names.indexOf(name) !== index)
          return twice === undefined ? undefined : `"${twice}" is listed twice`
        })
      )
    )
    .annotate({ description: "Folders below base, each a source of that name" }),
  gitignore: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(true))).annotate({
    description: "Leave out what the .gitignore files of a repository ignore"
  }),
  ...selectionOptions
})
export type RepositoriesOptions = typeof RepositoriesOptions.Type
