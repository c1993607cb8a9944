import { SourceError, SourceProvider } from "@omnirag/core/plugin"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Duration, Effect, Layer, Semaphore } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { resolve } from "node:path"
import { checkOut } from "../git/checkOut.ts"
import { repositoryName } from "../git/gitAddress.ts"
import { compileSelection } from "../walk/Selection.ts"
import { walkFolder } from "../walk/walkFolder.ts"
import type { GitOptions } from "./GitOptions.ts"

/** The source `git` with these options. */
export const gitLayer = (options: GitOptions) =>
  Layer.effect(
    SourceProvider,
    Effect.gen(function* () {
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const one = yield* Semaphore.make(1)
      const name = options.name ?? repositoryName(options.url)
      // tracked files are there on purpose, whatever a .gitignore says
      const selection = compileSelection({ ...options, gitignore: false })
      const open = Effect.fn("git.open")(function* () {
        const checkout = yield* checkOut({
          name,
          url: options.url,
          ref: options.ref,
          cache: resolve(options.cache),
          allowLocal: options.allowLocal,
          timeout: Duration.seconds(options.timeoutSeconds)
        }).pipe(
          Effect.provideService(ChildProcessSpawner.ChildProcessSpawner, spawner),
          Effect.mapError(
            ({ message }) =>
              new SourceError({
                source: name,
                message: `the source "${name}" cannot be fetched from ${options.url}: ${message}`
              })
          )
        )
        const { revision, root, warning } = checkout
        return {
          // the clone changes only when it is opened again, so there is nothing to watch
          sources: [
            {
              name,
              location: options.url,
              revision,
              entries: walkFolder(name, root, selection)
            }
          ],
          missing: [],
          warnings: warning === undefined ? [] : [warning]
        }
      })
      return SourceProvider.of({ name, open: one.withPermits(1)(open()) })
    })
  ).pipe(Layer.provide(NodeServices.layer))
