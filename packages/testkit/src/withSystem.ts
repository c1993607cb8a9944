import * as NodeServices from "@effect/platform-node/NodeServices"
import type { AccessPolicy, AppError } from "@omnirag/core/app"
import { appLayer, parseConfig, type PluginSet } from "@omnirag/runtime"
import { Effect, Layer, type Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** The use cases of a whole system. */
export type SystemServices = Layer.Success<ReturnType<typeof appLayer>>

/** Runs with the whole system as the text of a configuration describes it; leaves everything closed behind. */
export const withSystem = <A, E>(
  yaml: string,
  plugins: PluginSet,
  use: Effect.Effect<A, E, SystemServices | Scope.Scope>,
  policy?: Layer.Layer<AccessPolicy>
): Effect.Effect<A, E | AppError> =>
  Effect.flatMap(parseConfig("test.yaml", yaml, {}), (config) =>
    Effect.scoped(use).pipe(
      // a system inside of another shares no part with it, as a process of its own would
      Effect.provide(appLayer(config, plugins, policy).pipe(Layer.provide(NodeServices.layer)), {
        local: true
      })
    )
  )

/** The same with its data in `data`, which is kept; in a folder of its own that is removed when absent. */
export const withSystemOn = <A, E>(
  yaml: string,
  plugins: PluginSet,
  use: Effect.Effect<A, E, SystemServices | Scope.Scope>,
  data?: string
): Effect.Effect<A, E | AppError> =>
  Effect.acquireUseRelease(
    Effect.sync(() => data ?? mkdtempSync(join(tmpdir(), "omnirag-data-"))),
    (folder) => withSystem(`data: ${folder}\n${yaml}`, plugins, use),
    (folder) =>
      Effect.sync(() => {
        if (data === undefined) rmSync(folder, { recursive: true, force: true })
      })
  )
