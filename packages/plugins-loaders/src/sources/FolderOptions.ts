import { Effect, Schema } from "effect"
import { selectionOptions } from "../walk/Selection.ts"
import { SourceName } from "./sourceName.ts"

/** Options of the source `folder` in the YAML file. */
export const FolderOptions = Schema.Struct({
  path: Schema.NonEmptyString.annotate({ description: "The folder, relative to the working directory" }),
  name: Schema.optionalKey(SourceName).annotate({
    description: "Name of the source in ids and filters; the name of the folder when absent"
  }),
  gitignore: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(true))).annotate({
    description: "Leave out what the .gitignore files in the folder and below it ignore"
  }),
  ...selectionOptions
})
export type FolderOptions = typeof FolderOptions.Type
