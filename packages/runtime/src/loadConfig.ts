import { type AppConfig, ConfigError, type ConfigFault, OmniragConfig, schemaFaults } from "@omnirag/core/app"
import { Effect, FileSystem, Predicate, Result, Schema } from "effect"
import { loadAll, YAMLException } from "js-yaml"
import { type Environment, interpolate } from "./interpolate.ts"

/** Finds faults that only the owner of the plugins can see. The value may have other faults, too. */
export type Inspection = (config: unknown) => Effect.Effect<ReadonlyArray<ConfigFault>>

const noInspection: Inspection = () => Effect.succeed([])

/** Decodes the text of a configuration file; reports every fault at once, each with its path. */
export const parseConfig = Effect.fn("parseConfig")(function* (
  file: string,
  text: string,
  environment: Environment,
  inspect: Inspection = noInspection
): Effect.fn.Return<AppConfig["Service"], ConfigError> {
  const documents = yield* Effect.try({
    // a file with only comments holds no document; `load` would report this as a fault of the syntax
    try: () => loadAll(text, { filename: file }),
    catch: (cause) =>
      new ConfigError({
        file,
        faults: [
          cause instanceof YAMLException
            ? { path: `line ${(cause.mark?.line ?? 0) + 1}`, message: `not YAML: ${cause.reason}` }
            : { path: "(root)", message: `not YAML: ${String(cause)}` }
        ]
      })
  })
  const [raw] = documents
  if (documents.length > 1) {
    return yield* new ConfigError({
      file,
      faults: [{ path: "(root)", message: "holds several documents; remove the `---` between them" }]
    })
  }
  if (!Predicate.isObject(raw)) {
    return yield* new ConfigError({
      file,
      faults: [{ path: "(root)", message: "expected a mapping of keys, see docs/configuration.md" }]
    })
  }
  const interpolated = interpolate(raw, environment)
  const unset = new Set(interpolated.faults.map((fault) => fault.path))
  const decoded = yield* Effect.result(
    Schema.decodeUnknownEffect(OmniragConfig)(interpolated.value, {
      errors: "all",
      onExcessProperty: "error"
    })
  )
  // a value whose variable is not set has only that fault
  const others = [
    ...(Result.isFailure(decoded) ? schemaFaults(decoded.failure) : []),
    ...(yield* inspect(interpolated.value))
  ].filter((fault) => !unset.has(fault.path))
  const faults = [...interpolated.faults, ...others]
  if (faults.length > 0 || Result.isFailure(decoded)) return yield* new ConfigError({ file, faults })
  return decoded.success
})

/** Reads and decodes a configuration file. */
export const loadConfig = Effect.fn("loadConfig")(function* (
  file: string,
  environment: Environment,
  inspect: Inspection = noInspection
) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs.readFileString(file).pipe(
    Effect.mapError(
      (error) =>
        new ConfigError({
          file,
          faults: [
            { path: "(root)", message: `cannot be read (${error.reason._tag}); give one with --config FILE` }
          ]
        })
    )
  )
  return yield* parseConfig(file, text, environment, inspect)
})
