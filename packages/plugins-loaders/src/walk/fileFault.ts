import { Data, Effect, Predicate } from "effect"

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "it disappeared during the walk",
  ENOTDIR: "it disappeared during the walk",
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "its links form a loop",
  ENAMETOOLONG: "its path is too long for the system",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EIO: "the disk reports an input/output error"
}

/** The code of a system error such as `ENOENT`; undefined for anything else. */
const faultCode = (cause: unknown): string | undefined =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : undefined

/** The meaning of a file system error, in words for the operator and without absolute paths. */
const faultReason = (cause: unknown): string => {
  const code = faultCode(cause)
  if (code === undefined) return cause instanceof Error ? cause.message : String(cause)
  return reasons[code] === undefined ? `it cannot be read (${code})` : `${reasons[code]} (${code})`
}

/** A file system call failed. */
export class FileFault extends Data.TaggedError("FileFault")<{ readonly cause: unknown }> {
  get code(): string | undefined {
    return faultCode(this.cause)
  }
  /** Whether the file does not exist, as opposed to a file that cannot be read. */
  get isGone(): boolean {
    return this.code === "ENOENT" || this.code === "ENOTDIR"
  }
  get reason(): string {
    return faultReason(this.cause)
  }
}

/** A file system call as an effect. */
export const fileIo = <A>(call: () => Promise<A>): Effect.Effect<A, FileFault> =>
  Effect.tryPromise({ try: call, catch: (cause) => new FileFault({ cause }) })
