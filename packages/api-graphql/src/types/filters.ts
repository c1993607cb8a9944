import {
  ChunkConditions,
  descriptionOf,
  descriptionsOf,
  DocumentConditions,
  IntConditions,
  MetadataConditions,
  NumberConditions,
  StringConditions
} from "@omnirag/core/app"
import { builder } from "../builder.ts"
import type { FilterInput, MetadataFilterInput } from "../filterInput.ts"

const textDocs = descriptionsOf(StringConditions)
const StringFilterRef = builder.inputType("StringFilter", {
  description: descriptionOf(StringConditions),
  fields: (t) => ({
    eq: t.string({ description: textDocs.eq }),
    ne: t.string({ description: textDocs.ne }),
    in: t.stringList({ description: textDocs.in }),
    nin: t.stringList({ description: textDocs.nin }),
    prefix: t.string({ description: textDocs.prefix }),
    glob: t.string({
      description: textDocs.glob
    }),
    exists: t.boolean({ description: textDocs.exists })
  })
})

const integerDocs = descriptionsOf(IntConditions)
const IntFilterRef = builder.inputType("IntFilter", {
  description: descriptionOf(IntConditions),
  fields: (t) => ({
    eq: t.int({ description: integerDocs.eq }),
    ne: t.int({ description: integerDocs.ne }),
    in: t.intList({ description: integerDocs.in }),
    nin: t.intList({ description: integerDocs.nin }),
    gt: t.int({ description: integerDocs.gt }),
    gte: t.int({ description: integerDocs.gte }),
    lt: t.int({ description: integerDocs.lt }),
    lte: t.int({ description: integerDocs.lte }),
    exists: t.boolean({ description: integerDocs.exists })
  })
})

const numberDocs = descriptionsOf(NumberConditions)
const FloatFilterRef = builder.inputType("FloatFilter", {
  description: descriptionOf(NumberConditions),
  fields: (t) => ({
    eq: t.float({ description: numberDocs.eq }),
    ne: t.float({ description: numberDocs.ne }),
    in: t.floatList({ description: numberDocs.in }),
    nin: t.floatList({ description: numberDocs.nin }),
    gt: t.float({ description: numberDocs.gt }),
    gte: t.float({ description: numberDocs.gte }),
    lt: t.float({ description: numberDocs.lt }),
    lte: t.float({ description: numberDocs.lte }),
    exists: t.boolean({ description: numberDocs.exists })
  })
})

const metadataDocs = descriptionsOf(MetadataConditions)
const MetadataFilterRef = builder.inputRef<MetadataFilterInput>("MetadataFilter").implement({
  description: descriptionOf(MetadataConditions),
  fields: (t) => ({
    key: t.string({ required: true, description: metadataDocs.key }),
    eq: t.field({ type: "FilterValue", description: metadataDocs.eq }),
    ne: t.field({ type: "FilterValue", description: metadataDocs.ne }),
    in: t.field({ type: ["FilterValue"], description: metadataDocs.in }),
    nin: t.field({ type: ["FilterValue"], description: metadataDocs.nin }),
    gt: t.field({ type: "FilterValue", description: metadataDocs.gt }),
    gte: t.field({ type: "FilterValue", description: metadataDocs.gte }),
    lt: t.field({ type: "FilterValue", description: metadataDocs.lt }),
    lte: t.field({ type: "FilterValue", description: metadataDocs.lte }),
    prefix: t.string({ description: metadataDocs.prefix }),
    glob: t.string({ description: metadataDocs.glob }),
    exists: t.boolean({ description: metadataDocs.exists })
  })
})

const chunkDocs = descriptionsOf(ChunkConditions)
const documentDocs = descriptionsOf(DocumentConditions)

type DocumentFilterInput = Omit<FilterInput, "intent" | "page" | "confidence">

export const ChunkFilterRef = builder.inputRef<FilterInput>("ChunkFilter").implement({
  description: descriptionOf(ChunkConditions),
  fields: (t) => ({
    repo: t.field({ type: StringFilterRef, description: chunkDocs.repo }),
    bundle: t.field({ type: StringFilterRef, description: chunkDocs.bundle }),
    path: t.field({ type: StringFilterRef, description: chunkDocs.path }),
    mediaType: t.field({ type: StringFilterRef, description: chunkDocs.mediaType }),
    documentId: t.field({ type: StringFilterRef, description: chunkDocs.documentId }),
    intent: t.field({
      type: StringFilterRef,
      description: chunkDocs.intent
    }),
    page: t.field({ type: IntFilterRef, description: chunkDocs.page }),
    confidence: t.field({ type: FloatFilterRef, description: chunkDocs.confidence }),
    metadata: t.field({ type: [MetadataFilterRef], description: chunkDocs.metadata }),
    _and: t.field({ type: [ChunkFilterRef], description: chunkDocs._and }),
    _or: t.field({ type: [ChunkFilterRef], description: chunkDocs._or }),
    _not: t.field({ type: ChunkFilterRef, description: chunkDocs._not })
  })
})

export const DocumentFilterRef = builder.inputRef<DocumentFilterInput>("DocumentFilter").implement({
  description: descriptionOf(DocumentConditions),
  fields: (t) => ({
    repo: t.field({ type: StringFilterRef, description: documentDocs.repo }),
    bundle: t.field({ type: StringFilterRef, description: documentDocs.bundle }),
    path: t.field({ type: StringFilterRef, description: documentDocs.path }),
    mediaType: t.field({ type: StringFilterRef, description: documentDocs.mediaType }),
    documentId: t.field({ type: StringFilterRef, description: documentDocs.documentId }),
    metadata: t.field({ type: [MetadataFilterRef], description: documentDocs.metadata }),
    _and: t.field({ type: [DocumentFilterRef], description: documentDocs._and }),
    _or: t.field({ type: [DocumentFilterRef], description: documentDocs._or }),
    _not: t.field({ type: DocumentFilterRef, description: documentDocs._not })
  })
})
