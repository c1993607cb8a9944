import { definePlugin, SourceError, SourceProvider } from "@omnirag/core/plugin"
import { NodeServices } from "@effect/platform-node"
import { Duration, Effect, Layer, Schema, Semaphore } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { resolve } from "node:path"
import { checkOut } from "../git/checkOut.ts"
import { refFault, repositoryName, urlFault } from "../git/gitAddress.ts"
import { compileSelection, selectionOptions } from "../walk/Selection.ts"
import { walkFolder } from "../walk/walkFolder.ts"
import { SourceName } from "./sourceName.ts"

const Options = Schema.Struct({
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

/** The source plugin `git`: one revision of a remote repository, fetched with the git client into a cache folder. */
export const git = definePlugin({
  kind: "source",
  name: "git",
  description: "A git repository by its URL, cloned into a cache folder and fetched before each run",
  options: Options,
  layer: (options) =>
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
})
