import { SourceError, SourceProvider } from "@omnirag/core/plugin"
import { Effect, Layer } from "effect"
import { join, resolve } from "node:path"
import { compileSelection } from "../walk/Selection.ts"
import { folderFault, folderSource } from "./folderSource.ts"
import type { RepositoriesOptions } from "./RepositoriesOptions.ts"

/** The source `repositories` with these options. */
export const repositoriesLayer = (options: RepositoriesOptions) =>
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
