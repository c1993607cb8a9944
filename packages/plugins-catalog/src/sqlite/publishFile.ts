import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"

const sync = (path: string, flags: string): void => {
  const descriptor = openSync(path, flags)
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Removes a database with the files SQLite keeps beside it; one that is not there is no error. */
export const removeDatabase = (file: string): void => {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(`${file}${suffix}`, { force: true })
}

/** Puts a finished, closed database in place: after this returns it survives a power cut, before it nothing is there. */
export const publishDatabase = (temporary: string, file: string): void => {
  sync(temporary, "r+")
  // the write-ahead log of an earlier file would be replayed onto the new one
  removeDatabase(file)
  renameSync(temporary, file)
  // a folder cannot be opened for syncing on Windows, where renames are durable by themselves
  if (process.platform !== "win32") sync(dirname(file), "r")
}
