import { closeSync, openSync, readSync } from "node:fs"
import { applicationId } from "./migrations.ts"

/** The 100-byte header of a database file (https://sqlite.org/fileformat2.html#the_database_header). */
const headerLength = 100
const magic = "SQLite format 3\0"

const readHeader = (file: string): Buffer => {
  const descriptor = openSync(file, "r")
  try {
    const header = Buffer.alloc(headerLength)
    return header.subarray(0, readSync(descriptor, header, 0, headerLength, 0))
  } finally {
    closeSync(descriptor)
  }
}

/** Why the file is none of ours, judged by its header before SQLite sees it; undefined when it looks right. */
export const headerFault = (file: string): string | undefined => {
  const header = readHeader(file)
  if (header.length === 0) return "the file is empty"
  if (header.length < headerLength) return "the file is truncated"
  if (header.toString("latin1", 0, magic.length) !== magic) return "the file is not a SQLite database"
  if (header.readInt32BE(68) !== applicationId) return "the file is a database of another program"
  return undefined
}
