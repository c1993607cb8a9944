import { builder } from "../builder.ts"
import type { FilterInput, MetadataFilterInput } from "../filterInput.ts"

const StringFilterRef = builder.inputType("StringFilter", {
  description:
    "Conditions on a text; all that are given must hold. None but `exists: false` holds for an absent value.",
  fields: (t) => ({
    eq: t.string({ description: "Equals." }),
    ne: t.string({ description: "Is there and does not equal." }),
    in: t.stringList({ description: "Is one of these; nothing is one of an empty list." }),
    nin: t.stringList({ description: "Is there and none of these." }),
    prefix: t.string({ description: "Begins with." }),
    glob: t.string({
      description: "Matches: `*` within a folder, `**` across folders, `?`, `{a,b}`, `[abc]`."
    }),
    exists: t.boolean({ description: "True: is there. False: is absent." })
  })
})

const IntFilterRef = builder.inputType("IntFilter", {
  description: "Conditions on a whole number; all that are given must hold.",
  fields: (t) => ({
    eq: t.int({ description: "Equals." }),
    ne: t.int({ description: "Is there and does not equal." }),
    in: t.intList({ description: "Is one of these." }),
    nin: t.intList({ description: "Is there and none of these." }),
    gt: t.int({ description: "Is greater than." }),
    gte: t.int({ description: "Is at least." }),
    lt: t.int({ description: "Is less than." }),
    lte: t.int({ description: "Is at most." }),
    exists: t.boolean({ description: "True: is there. False: is absent." })
  })
})

const FloatFilterRef = builder.inputType("FloatFilter", {
  description: "Conditions on a number; all that are given must hold.",
  fields: (t) => ({
    eq: t.float({ description: "Equals." }),
    ne: t.float({ description: "Is there and does not equal." }),
    in: t.floatList({ description: "Is one of these." }),
    nin: t.floatList({ description: "Is there and none of these." }),
    gt: t.float({ description: "Is greater than." }),
    gte: t.float({ description: "Is at least." }),
    lt: t.float({ description: "Is less than." }),
    lte: t.float({ description: "Is at most." }),
    exists: t.boolean({ description: "True: is there. False: is absent." })
  })
})

const MetadataFilterRef = builder.inputRef<MetadataFilterInput>("MetadataFilter").implement({
  description:
    "Conditions on one key of the metadata; all that are given must hold. A list of texts satisfies `eq`, `in`, `prefix` and `glob` when one of its members does.",
  fields: (t) => ({
    key: t.string({ required: true, description: "The key, as in the front matter." }),
    eq: t.field({ type: "FilterValue", description: 'Equals, type included: `1` is not `"1"`.' }),
    ne: t.field({ type: "FilterValue", description: "Is there and does not equal." }),
    in: t.field({ type: ["FilterValue"], description: "Is one of these." }),
    nin: t.field({ type: ["FilterValue"], description: "Is there and none of these." }),
    gt: t.field({ type: "FilterValue", description: "Is greater than (numbers, or texts by code unit)." }),
    gte: t.field({ type: "FilterValue", description: "Is at least." }),
    lt: t.field({ type: "FilterValue", description: "Is less than." }),
    lte: t.field({ type: "FilterValue", description: "Is at most." }),
    prefix: t.string({ description: "Begins with." }),
    glob: t.string({ description: "Matches, as in `StringFilter`." }),
    exists: t.boolean({ description: "True: the document has the key. False: it has not." })
  })
})

/** What chunks and documents can both be filtered by. */
const documentFields = {
  repo: "Name of the source (a repository, usually).",
  bundle: "First folder of the path; absent for a file in the root.",
  path: "POSIX path below the root of the source.",
  mediaType: "Media type, such as `text/markdown`.",
  documentId: "Id of the document: source name, a slash, and the path.",
  metadata: "Metadata of the document; every entry must hold."
}

const combinators = {
  _and: "All of these must hold.",
  _or: "One of these must hold; of an empty list none does.",
  _not: "This must not hold."
}

type DocumentFilterInput = Omit<FilterInput, "intent" | "page" | "confidence">

export const ChunkFilterRef = builder.inputRef<FilterInput>("ChunkFilter").implement({
  description:
    "Which chunks to look at. All conditions given together apply; an empty filter holds for every chunk.",
  fields: (t) => ({
    repo: t.field({ type: StringFilterRef, description: documentFields.repo }),
    bundle: t.field({ type: StringFilterRef, description: documentFields.bundle }),
    path: t.field({ type: StringFilterRef, description: documentFields.path }),
    mediaType: t.field({ type: StringFilterRef, description: documentFields.mediaType }),
    documentId: t.field({ type: StringFilterRef, description: documentFields.documentId }),
    intent: t.field({
      type: StringFilterRef,
      description: "Kind of statement; absent where the chunker does not classify."
    }),
    page: t.field({ type: IntFilterRef, description: "Page, from 1; absent without pages." }),
    confidence: t.field({ type: FloatFilterRef, description: "How much the chunk says, 0.1 … 1." }),
    metadata: t.field({ type: [MetadataFilterRef], description: documentFields.metadata }),
    _and: t.field({ type: [ChunkFilterRef], description: combinators._and }),
    _or: t.field({ type: [ChunkFilterRef], description: combinators._or }),
    _not: t.field({ type: ChunkFilterRef, description: combinators._not })
  })
})

export const DocumentFilterRef = builder.inputRef<DocumentFilterInput>("DocumentFilter").implement({
  description:
    "Which documents to list. All conditions given together apply; an empty filter holds for every document.",
  fields: (t) => ({
    repo: t.field({ type: StringFilterRef, description: documentFields.repo }),
    bundle: t.field({ type: StringFilterRef, description: documentFields.bundle }),
    path: t.field({ type: StringFilterRef, description: documentFields.path }),
    mediaType: t.field({ type: StringFilterRef, description: documentFields.mediaType }),
    documentId: t.field({ type: StringFilterRef, description: documentFields.documentId }),
    metadata: t.field({ type: [MetadataFilterRef], description: documentFields.metadata }),
    _and: t.field({ type: [DocumentFilterRef], description: combinators._and }),
    _or: t.field({ type: [DocumentFilterRef], description: combinators._or }),
    _not: t.field({ type: DocumentFilterRef, description: combinators._not })
  })
})
