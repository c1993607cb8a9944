import { CatalogError } from "@omnirag/core/plugin"
import { Effect, type PlatformError } from "effect"

/** Codes of the operating system that have an answer of their own. */
const meanings: Readonly<Record<string, string>> = {
  EACCES: "it may not be used: check the permissions of the data folder",
  EPERM: "it may not be used: check the permissions of the data folder",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full: free some space, then try again",
  EDQUOT: "the disk quota is used up: free some space, then try again",
  EIO: "the disk reported an input/output error",
  EEXIST: "a file is where a folder should be",
  ENOTDIR: "a file is where a folder should be",
  EISDIR: "a folder is where a file should be",
  ENOENT: "it is missing"
}

const codeOf = ({ reason }: PlatformError.PlatformError): string =>
  "cause" in reason && reason.cause instanceof Error && "code" in reason.cause
    ? String(reason.cause.code)
    : reason._tag

/** Turns a failure of the file system into a `CatalogError` that names `what` in the data folder, never an absolute path. */
export const folderFailure = (operation: string, what: string) =>
  Effect.mapError((cause: PlatformError.PlatformError) => {
    const code = codeOf(cause)
    return new CatalogError({
      operation,
      message: `${operation} failed on ${what} in the data folder: ${meanings[code] ?? code}`,
      cause
    })
  })

/** True for something that is not there. */
export const isMissing = (error: PlatformError.PlatformError): boolean => error.reason._tag === "NotFound"

/** True for something that should be made and is there. */
export const alreadyExists = (error: PlatformError.PlatformError): boolean =>
  error.reason._tag === "AlreadyExists"
