import { basename } from "node:path"
import { CorruptFile } from "../worker/StoreFault.ts"

/** A file of a collection that cannot be used, named without its folder. */
export const corrupt = (path: string, reason: string): CorruptFile =>
  new CorruptFile({
    file: basename(path),
    reason,
    remedy: "rebuild"
  })

/** The error code of a failed system call, such as ENOENT; undefined for any other error. */
export const systemCode = (cause: unknown): string | undefined =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined
