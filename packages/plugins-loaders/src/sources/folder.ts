import { definePlugin, SourceError, SourceProvider } from "@omnirag/core/plugin"
import { Effect, Layer, Schema } from "effect"
import { basename, resolve } from "node:path"
import { compileSelection, selectionOptions } from "../walk/Selection.ts"
import { folderFault, folderSource } from "./folderSource.ts"
import { SourceName } from "./sourceName.ts"

const Options = Schema.Struct({
  path: Schema.NonEmptyString.annotate({ description: "The folder, relative to the working directory" }),
  name: Schema.optionalKey(SourceName).annotate({
    description: "Name of the source in ids and filters; the name of the folder when absent"
  }),
  gitignore: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(true))).annotate({
    description: "Leave out what the .gitignore files in the folder and below it ignore"
  }),
  ...selectionOptions
})

/** The source plugin `folder`: one folder on this machine. */
export const folder = definePlugin({
  kind: "source",
  name: "folder",
  description: "One folder on this machine",
  options: Options,
  layer: (options) =>
    Layer.sync(SourceProvider, () => {
      const root = resolve(options.path)
      const name = options.name ?? (basename(root) || "root")
      const selection = compileSelection(options)
      const open = Effect.fn("folder.open")(function* () {
        const fault = yield* folderFault(root)
        if (fault !== undefined) {
          return yield* new SourceError({
            source: name,
            message: `the folder ${root} of the source "${name}" cannot be indexed: ${fault}; correct its option path`
          })
        }
        return { sources: [folderSource({ name, root, selection })], missing: [] }
      })
      return SourceProvider.of({ name, open: open() })
    })
})
