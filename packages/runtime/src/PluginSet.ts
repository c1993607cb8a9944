import type { Plugin, PluginKind } from "@omnirag/core/app"

/** Every plugin a process knows, by kind. */
export type PluginSet = { readonly [K in PluginKind]: ReadonlyArray<Plugin<K>> }
