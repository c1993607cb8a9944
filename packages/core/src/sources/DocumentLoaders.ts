import { Context, Effect, Layer } from "effect"
import type { Document } from "../domain/Document.ts"
import { DocumentRefused } from "../domain/errors.ts"
import type { DocumentLoader, LoadRequest } from "../ports/DocumentLoader.ts"

/** Extension of a path in lower case with its dot; empty when there is none. */
const extensionOf = (path: string): string => {
  const name = path.slice(path.lastIndexOf("/") + 1)
  const dot = name.lastIndexOf(".")
  return dot <= 0 ? "" : name.slice(dot).toLowerCase()
}

/** The configured loaders; the first one that accepts a media type loads the file. */
export class DocumentLoaders extends Context.Service<
  DocumentLoaders,
  {
    /** The media type of a path by its extension; undefined when no loader accepts it. */
    readonly mediaTypeOf: (path: string) => string | undefined
    readonly load: (request: LoadRequest) => Effect.Effect<Document, DocumentRefused>
  }
>()("@omnirag/core/sources/DocumentLoaders") {
  static readonly layer = (loaders: ReadonlyArray<DocumentLoader["Service"]>) =>
    Layer.sync(DocumentLoaders, () => {
      const mediaTypeOf = (path: string) => {
        const extension = extensionOf(path)
        return loaders.find((loader) => loader.extensions[extension] !== undefined)?.extensions[extension]
      }
      const load = Effect.fn("DocumentLoaders.load")(function* (
        request: LoadRequest
      ): Effect.fn.Return<Document, DocumentRefused> {
        const mediaType = request.mediaType ?? mediaTypeOf(request.path)
        const loader = loaders.find(
          (candidate) => mediaType !== undefined && Object.values(candidate.extensions).includes(mediaType)
        )
        if (loader === undefined) {
          return yield* new DocumentRefused({
            path: request.path,
            reason: `no configured loader accepts ${mediaType ?? "files with this ending"}`
          })
        }
        return yield* loader.load({ ...request, mediaType })
      })
      return DocumentLoaders.of({ mediaTypeOf, load })
    })
}
