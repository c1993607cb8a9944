import { Documents } from "@omnirag/core/app"
import { Effect } from "effect"
import { bounded, most } from "../bounded.ts"
import { perItem } from "../complexity.ts"
import { ChunkRef, DocumentRef } from "./refs.ts"

DocumentRef.implement({
  description: "An indexed document. Offsets everywhere refer to its `text`, in UTF-16 units.",
  fields: (t) => ({
    id: t.exposeID("id", { description: "Source name, a slash, and the path." }),
    source: t.exposeString("source", { description: "Name of the source (a repository, usually)." }),
    path: t.exposeString("path", { description: "POSIX path below the root of the source." }),
    bundle: t.exposeString("bundle", {
      nullable: true,
      description: "First folder of the path; null for a file in the root."
    }),
    mediaType: t.exposeString("mediaType", { description: "Media type, such as `text/markdown`." }),
    title: t.exposeString("title", { description: "First heading or title; the file name without one." }),
    contentHash: t.exposeString("contentHash", { description: "SHA-256 (hex) of the bytes of the file." }),
    metadata: t.expose("metadata", { type: "JSON", description: "Front matter and other metadata." }),
    revision: t.exposeString("revision", {
      nullable: true,
      description: "Revision of the source it was read at (a commit id), where known."
    }),
    length: t.exposeInt("length", { description: "Length of the text in UTF-16 units." }),
    indexedAt: t.expose("indexedAt", { type: "DateTime", description: "When it was indexed." }),
    text: t.string({
      description: "The canonical text: decoded, without byte-order mark, line ends as in the file.",
      complexity: 10,
      resolve: (document, _args, context) =>
        context.run(Documents.use((documents) => documents.text(document.id)))
    }),
    chunkCount: t.exposeInt("chunks", { description: "Number of its chunks." }),
    chunks: t.field({
      type: [ChunkRef],
      description: "Its chunks in the order of the text.",
      args: {
        first: t.arg.int({ defaultValue: 100, description: "How many, 1 … 1000." }),
        skip: t.arg.int({ defaultValue: 0, description: "How many to pass over before." })
      },
      complexity: (args) => perItem(args.first, most.chunksOfDocument),
      resolve: (document, args, context) =>
        context.run(
          Effect.gen(function* () {
            const first = yield* bounded("first", args.first ?? 100, 1, most.chunksOfDocument)
            const skip = yield* bounded("skip", args.skip ?? 0, 0, Number.MAX_SAFE_INTEGER)
            const documents = yield* Documents
            return (yield* documents.chunksOf(document.id)).slice(skip, skip + first)
          })
        )
    })
  })
})
