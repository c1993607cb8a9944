import { Context, Effect, Layer } from "effect"
import { InvalidInput, SourceError } from "../domain/errors.ts"
import type { OpenedSources, SourceProvider } from "../ports/SourceProvider.ts"

/** The sources of all providers. */
export interface OpenedSourcesOfAll extends OpenedSources {
  /**
   * False when a provider could not even list the names of its sources: then no source may count as removed from the
   * configuration.
   */
  readonly complete: boolean
}

/** Refuses names that no source has. */
export const unknownSources = (unknown: ReadonlyArray<string>, known: ReadonlyArray<string>): InvalidInput =>
  new InvalidInput({
    field: "sources",
    message: `no source is called ${unknown.join(", ")}; known: ${known.join(", ")}`
  })

/** All entries under `sources:` of the configuration, as one. */
export class Sources extends Context.Service<
  Sources,
  {
    /** Fails when no source exists, when two have the same name, or when `names` holds an unknown name. */
    readonly open: (
      names?: ReadonlyArray<string>
    ) => Effect.Effect<OpenedSourcesOfAll, SourceError | InvalidInput>
  }
>()("@omnirag/core/sources/Sources") {
  static readonly layer = (providers: ReadonlyArray<SourceProvider["Service"]>) =>
    Layer.sync(Sources, () => {
      const openAll = Effect.gen(function* () {
        const opened = yield* Effect.forEach(providers, (provider) =>
          // one source that cannot be opened does not hide the others
          provider.open.pipe(
            Effect.map((part): OpenedSourcesOfAll => ({ ...part, complete: true })),
            Effect.catch(({ source, message }) =>
              Effect.succeed<OpenedSourcesOfAll>({
                sources: [],
                missing: [{ name: source, location: provider.name, hint: message }],
                complete: false
              })
            )
          )
        )
        const sources = opened.flatMap((part) => part.sources)
        const missing = opened.flatMap((part) => part.missing)
        const names = new Set<string>()
        for (const { name } of [...sources, ...missing]) {
          if (names.has(name)) {
            return yield* new SourceError({
              source: name,
              message: `two sources are called "${name}"; give one of them another \`name\``
            })
          }
          names.add(name)
        }
        if (sources.length === 0) {
          return yield* new SourceError({
            source: missing.map((source) => source.name).join(", "),
            message: `none of the configured sources can be opened: ${missing
              .map(({ hint, location, name }) => `${name} (${location}): ${hint}`)
              .join("; ")}`
          })
        }
        return {
          sources,
          missing,
          warnings: opened.flatMap((part) => part.warnings ?? []),
          complete: opened.every((part) => part.complete)
        }
      })

      const open = Effect.fn("Sources.open")(function* (
        names?: ReadonlyArray<string>
      ): Effect.fn.Return<OpenedSourcesOfAll, SourceError | InvalidInput> {
        const all = yield* openAll
        if (names === undefined) return all
        const known = new Set([...all.sources, ...all.missing].map((source) => source.name))
        const unknown = names.filter((name) => !known.has(name))
        if (unknown.length > 0) {
          return yield* unknownSources(unknown, [...known])
        }
        const wanted = new Set(names)
        return {
          sources: all.sources.filter((source) => wanted.has(source.name)),
          missing: all.missing.filter((source) => wanted.has(source.name)),
          warnings: all.warnings,
          complete: all.complete
        }
      })
      return Sources.of({ open })
    })
}
