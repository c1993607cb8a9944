import { definePlugin, SourceError, SourceProvider } from "@omnirag/core/plugin"
import { Effect, Layer, Schema } from "effect"
import { join, resolve } from "node:path"
import { compileSelection, selectionOptions } from "../walk/Selection.ts"
import { folderFault, folderSource } from "./folderSource.ts"
import { SourceName } from "./sourceName.ts"

const Options = Schema.Struct({
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

/** The source plugin `repositories`: named folders below one base; missing ones are warnings. */
export const repositories = definePlugin({
  kind: "source",
  name: "repositories",
  description: "Named repositories that lie side by side in one folder on this machine",
  options: Options,
  layer: (options) =>
    Layer.sync(SourceProvider, () => {
      const base = resolve(options.base)
      const selection = compileSelection(options)
      const open = Effect.fn("repositories.open")(function* () {
        const checked = yield* Effect.forEach(options.names, (name) => {
          const root = join(base, name)
          return Effect.map(folderFault(root), (fault) => ({ name, root, fault }))
        })
        const missing = checked.flatMap(({ fault, name, root }) =>
          fault === undefined
            ? []
            : [
                {
                  name,
                  location: root,
                  hint: `${fault}; clone the repository there or remove its name from the list`
                }
              ]
        )
        if (missing.length === checked.length) {
          return yield* new SourceError({
            source: "repositories",
            message:
              `none of the ${checked.length} configured repositories is below ${base}. ` +
              "Set REPO_BASE to the folder that holds them, for example REPO_BASE=$HOME/repositories " +
              `when ${options.names[0]} is $HOME/repositories/${options.names[0]}`
          })
        }
        const sources = checked
          .filter(({ fault }) => fault === undefined)
          .map(({ name, root }) => folderSource({ name, root, selection }))
        return { sources, missing }
      })
      return SourceProvider.of({ name: "repositories", open: open() })
    })
})
