/** The file of the catalog inside the folder of a generation. */
export const catalogFile = "catalog.sqlite"

/** Primary result codes of SQLite (https://sqlite.org/rescode.html) that have an answer of their own, for the database in `file`. */
const meanings: Readonly<Record<number, (file: string) => string>> = {
  5: (file) => `another process is writing to ${file}; wait for it to end, then try again`,
  6: (file) => `another process is writing to ${file}; wait for it to end, then try again`,
  8: (file) => `${file} is open for reading only, or its folder cannot be written`,
  10: (file) => `the disk reported an input/output error on ${file}`,
  11: (file) => `${file} is damaged`,
  13: () => `the disk is full: free some space, then try again`,
  14: (file) => `${file} cannot be opened: check the permissions of its folder`,
  26: (file) => `${file} is not a SQLite database`
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

/** What went wrong with the database in `file`, in words for a client: never a path of the machine. */
export const describeFailure = (cause: unknown, file = catalogFile): string => {
  const code = sqliteCode(cause)
  const meaning = code === undefined ? undefined : meanings[code]
  if (meaning !== undefined) return meaning(file)
  if (cause instanceof Error && "code" in cause) {
    if (cause.code === "ERR_INVALID_STATE") return "the catalog is closed"
    // file system errors carry the path in their message
    if ("syscall" in cause) return `${String(cause.code)} on ${file}`
  }
  return cause instanceof Error ? cause.message : String(cause)
}
