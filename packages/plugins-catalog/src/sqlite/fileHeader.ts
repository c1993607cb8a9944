import { closeSync, openSync, readSync, statSync } from "node:fs"
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

/** Bytes of the write-ahead log beside the file; after a crash it holds pages the file itself lacks or has half of. */
const logSize = (file: string): number => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0

/** Why the file is none of ours, judged by its header before SQLite sees it; undefined when it looks right. */
export const headerFault = (file: string): string | undefined => {
  const header = readHeader(file)
  if (header.length === 0) return "the file is empty"
  if (header.length < headerLength) return "the file is truncated"
  if (header.toString("latin1", 0, magic.length) !== magic) return "the file is not a SQLite database"
  if (header.readInt32BE(68) !== applicationId) return "the file is a database of another program"
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  // SQLite itself compares whole pages only
  if (statSync(file).size % pageSize !== 0 && logSize(file) === 0) return "the file is truncated"
  return undefined
}
