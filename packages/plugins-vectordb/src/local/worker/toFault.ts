import { BindingMissing } from "../binding/loadBinding.ts"
import { OtherDimensions } from "../files/CollectionFiles.ts"
import { systemCode } from "../files/corrupt.ts"
import type { Fault } from "./protocol.ts"
import { CorruptFile, StoreFault } from "./StoreFault.ts"

const causes: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the quota of the disk is used up",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  EMFILE: "too many open files"
}

/** What the main thread is told of anything thrown here. System errors are told without their paths. */
export const toFault = (cause: unknown): Fault => {
  if (cause instanceof CorruptFile)
    return { _tag: "IndexCorrupt", file: cause.file, reason: cause.reason, remedy: cause.remedy }
  if (cause instanceof StoreFault)
    return { _tag: "VectorStoreError", reason: cause.reason, message: cause.message }
  if (cause instanceof OtherDimensions)
    return { _tag: "VectorStoreError", reason: "dimensions", message: cause.message }
  if (cause instanceof BindingMissing)
    return { _tag: "VectorStoreError", reason: "unavailable", message: cause.message }
  const code = systemCode(cause)
  return code !== undefined && /^E[A-Z]+$/.test(code)
    ? {
        _tag: "VectorStoreError",
        reason: "unavailable",
        message: `the files of the collection cannot be used: ${causes[code] ?? code}`,
        cause
      }
    : {
        _tag: "VectorStoreError",
        reason: "native",
        message: cause instanceof Error ? cause.message : String(cause),
        cause
      }
}
