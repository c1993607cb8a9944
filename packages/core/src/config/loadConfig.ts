import { Effect, FileSystem, Layer, Predicate, Schema } from "effect"
import { load, YAMLException } from "js-yaml"
import { ConfigError, type ConfigFault } from "../domain/errors.ts"
import { type Environment, interpolate } from "./interpolate.ts"
import { AppConfig, OmniragConfig } from "./OmniragConfig.ts"
import { schemaFaults } from "./schemaFaults.ts"

/** Decodes the text of a configuration file; reports every fault at once, each with its path. */
export const parseConfig = Effect.fn("parseConfig")(function* (
  file: string,
  text: string,
  environment: Environment
): Effect.fn.Return<AppConfig["Service"], ConfigError> {
  const raw = yield* Effect.try({
    try: () => load(text, { filename: file }),
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
  if (!Predicate.isObject(raw)) {
    return yield* new ConfigError({
      file,
      faults: [{ path: "(root)", message: "expected a mapping of keys, see docs/configuration.md" }]
    })
  }
  const interpolated = interpolate(raw, environment)
  const unset = new Set(interpolated.faults.map((fault) => fault.path))
  const decoded = yield* Schema.decodeUnknownEffect(OmniragConfig)(interpolated.value, {
    errors: "all",
    onExcessProperty: "error"
  }).pipe(
    Effect.catchTag("SchemaError", (error) => {
      // a value whose variable is not set is wrong for that reason alone
      const faults: ReadonlyArray<ConfigFault> = schemaFaults(error).filter((fault) => !unset.has(fault.path))
      return Effect.fail(new ConfigError({ file, faults: [...interpolated.faults, ...faults] }))
    })
  )
  if (interpolated.faults.length > 0) return yield* new ConfigError({ file, faults: interpolated.faults })
  return decoded
})

/** Reads and decodes a configuration file. */
export const loadConfig = Effect.fn("loadConfig")(function* (file: string, environment: Environment) {
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
  return yield* parseConfig(file, text, environment)
})

export const configLayer = (file: string, environment: Environment) =>
  Layer.effect(AppConfig, loadConfig(file, environment))
