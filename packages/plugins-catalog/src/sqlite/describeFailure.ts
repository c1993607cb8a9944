/** The file of the catalog inside the folder of a generation. */
export const catalogFile = "catalog.sqlite"

/** Primary result codes of SQLite (https://sqlite.org/rescode.html) that have an answer of their own. */
const meanings: Readonly<Record<number, string>> = {
  5: `another process is writing to ${catalogFile}; wait for it to end, then try again`,
  6: `another process is writing to ${catalogFile}; wait for it to end, then try again`,
  8: `${catalogFile} is open for reading only, or its folder cannot be written`,
  10: `the disk reported an input/output error on ${catalogFile}`,
  11: `${catalogFile} is damaged`,
  13: `the disk is full: free some space, then try again`,
  14: `${catalogFile} cannot be opened: check the permissions of its folder`,
  26: `${catalogFile} is not a SQLite database`
}

/** The primary result code when SQLite itself has failed. */
export const sqliteCode = (cause: unknown): number | undefined =>
  cause instanceof Error && "errcode" in cause && typeof cause.errcode === "number"
    ? cause.errcode & 0xff
    : undefined

/** True for a file that SQLite finds damaged or foreign. */
export const isDamage = (cause: unknown): boolean => {
  const code = sqliteCode(cause)
  return code === 11 || code === 26
}

/** What went wrong in words for a client: never a path of the machine. */
export const describeFailure = (cause: unknown): string => {
  const code = sqliteCode(cause)
  const meaning = code === undefined ? undefined : meanings[code]
  if (meaning !== undefined) return meaning
  if (cause instanceof Error && "code" in cause) {
    if (cause.code === "ERR_INVALID_STATE") return "the catalog is closed"
    // file system errors carry the path in their message
    if ("syscall" in cause) return `${String(cause.code)} on ${catalogFile}`
  }
  return cause instanceof Error ? cause.message : String(cause)
}
