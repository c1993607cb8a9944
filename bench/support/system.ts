import * as NodeServices from "@effect/platform-node/NodeServices"
import { type AppError } from "@omnirag/core/app"
import { Effect, Layer, type Scope } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { appLayer, parseConfig, type PluginSet } from "@omnirag/runtime"

export type SystemServices = Layer.Success<ReturnType<typeof appLayer>>

/** Runs with the whole system as a configuration describes it; `data` is kept when given, a folder of its own when not. */
export const inSystem = <A, E>(
  yaml: string,
  plugins: PluginSet,
  use: Effect.Effect<A, E, SystemServices | Scope.Scope>,
  data?: string
): Effect.Effect<A, E | AppError> =>
  Effect.acquireUseRelease(
    Effect.sync(() => data ?? mkdtempSync(join(tmpdir(), "omnirag-bench-data-"))),
    (folder) =>
      Effect.flatMap(parseConfig("bench.yaml", `data: ${folder}\n${yaml}`, {}), (config) =>
        Effect.scoped(use).pipe(
          Effect.provide(appLayer(config, plugins).pipe(Layer.provide(NodeServices.layer)))
        )
      ),
    (folder) =>
      Effect.sync(() => {
        if (data === undefined) rmSync(folder, { recursive: true, force: true })
      })
  )
