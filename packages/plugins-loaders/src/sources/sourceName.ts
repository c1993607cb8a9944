import { Schema } from "effect"

/** The name of a source: the first part of every document id, so it has no slash and no control character. */
export const SourceName = Schema.NonEmptyString.pipe(
  Schema.check(
    // oxlint-disable-next-line no-control-regex -- control characters are what it refuses
    Schema.isPattern(/^(?!\.{1,2}$)[^/\\\u0000-\u001f\u007f]+$/, {
      message: "a source name is one word of a path: no slash, no control character, not . or .."
    })
  )
)
