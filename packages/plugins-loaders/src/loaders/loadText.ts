import {
  bundleOf,
  type Document,
  documentId,
  DocumentRefused,
  type LoadRequest,
  type Metadata
} from "@omnirag/core/plugin"
import { Effect } from "effect"
import { hash } from "node:crypto"
import { decodeText } from "./decodeText.ts"

/** What a loader finds in a decoded text. */
export interface TextParts {
  /** Undefined when the text itself has no title. */
  readonly title: string | undefined
  readonly metadata: Metadata
}

/** The first line of the file that Git LFS puts in the place of a large file. */
const lfsPointer = "version https://git-lfs.github.com/spec/v1\n"

/**
 * Loads a text file: decodes it, refuses it when it is empty or not text, and records an encoding that is not UTF-8.
 */
export const loadText = Effect.fnUntraced(function* (
  request: LoadRequest,
  mediaType: string,
  partsOf: (text: string) => TextParts
): Effect.fn.Return<Document, DocumentRefused> {
  const { bytes, path, source } = request
  const decoded = decodeText(bytes)
  if (decoded._tag === "Refused") return yield* new DocumentRefused({ path, reason: decoded.reason })
  const { encoding, text } = decoded
  if (text.startsWith(lfsPointer))
    return yield* new DocumentRefused({
      path,
      reason: "it is a Git LFS pointer without its content; run `git lfs pull`"
    })
  if (text.trim() === "") return yield* new DocumentRefused({ path, reason: "it is empty" })
  const parts = partsOf(text)
  return {
    id: documentId(source, path),
    source,
    path,
    bundle: bundleOf(path),
    mediaType,
    title: parts.title ?? path.slice(path.lastIndexOf("/") + 1),
    text,
    contentHash: hash("sha256", bytes),
    metadata: encoding === "utf-8" ? parts.metadata : { ...parts.metadata, encoding },
    pages: []
  }
})
