import { DataFolder, type GenerationRef } from "@omnirag/core/app"
import { Layer } from "effect"
import { join, resolve } from "node:path"

/** The folder that the configuration names, a folder in it for each generation. */
export const dataFolder = (data: string): Layer.Layer<DataFolder> =>
  Layer.sync(DataFolder, () => {
    const path = resolve(data)
    return { path, of: ({ id }: GenerationRef) => join(path, id) }
  })
