import { Context, type Effect, type Scope } from "effect"
import type { PluginSelection } from "../plugin/PluginSelection.ts"
import type { AppError } from "../domain/errors.ts"
import type { EmbedderProvider } from "../ports/EmbedderProvider.ts"

/**
 * Embedders by selection. An index generation keeps the selection it was built with, so that a changed configuration
 * does not take away the embedder that understands the vectors still in use.
 */
export class Embedders extends Context.Service<
  Embedders,
  {
    /** What the configuration asks for now. */
    readonly configured: PluginSelection
    readonly provider: (
      selection: PluginSelection
    ) => Effect.Effect<EmbedderProvider["Service"], AppError, Scope.Scope>
  }
>()("@omnirag/core/index/Embedders") {}
