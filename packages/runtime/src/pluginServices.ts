import { type AppConfig, HealthChecks, type PluginServices } from "@omnirag/core/app"
import { type FileSystem, Layer, type Path } from "effect"
import { dataFolder } from "./dataFolder.ts"

/** What the platform gives: the files of this machine. */
export type Platform = FileSystem.FileSystem | Path.Path

/** What every plugin may ask for; a further service is added here and to the type `PluginServices` of core. */
export const pluginServices = ({
  data
}: Pick<AppConfig["Service"], "data">): Layer.Layer<Exclude<PluginServices, Platform>> =>
  Layer.mergeAll(HealthChecks.layer, dataFolder(data))
