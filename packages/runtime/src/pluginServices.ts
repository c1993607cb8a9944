import { HealthChecks, type PluginServices } from "@omnirag/core/app"
import type { Layer } from "effect"

/** What every plugin may ask for; a further service is added here and to the type `PluginServices` of core. */
export const pluginServices: Layer.Layer<PluginServices> = HealthChecks.layer
