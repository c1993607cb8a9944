import * as NodeServices from "@effect/platform-node/NodeServices"
import { appLayer, loadSystem, searchLayer } from "@omnirag/runtime"
import { Effect, Layer } from "effect"
import { root } from "./root.ts"

/** Reads the file that `--config` names, with the modules it lists. */
export const loadedConfig = root.pipe(
  Effect.flatMap(({ config }) => loadSystem(config, process.env)),
  Effect.provide(NodeServices.layer)
)

/** Runs a command with all use cases of the configured system. */
export const withApp = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(loadedConfig, ({ config, plugins }) =>
    Effect.provide(effect, appLayer(config, plugins).pipe(Layer.provide(NodeServices.layer)))
  )

/** Runs a command with what finds, and no more: it starts sooner. */
export const withSearch = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(loadedConfig, ({ config, plugins }) =>
    Effect.provide(effect, searchLayer(config, plugins).pipe(Layer.provide(NodeServices.layer)))
  )
