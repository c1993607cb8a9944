import { open, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"

/** Makes the entries of a folder (a rename, a new file) survive a crash. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Replaces a small file in one step: a reader, or a crash, meets the old text or the new one. */
export const replaceFile = async (path: string, text: string): Promise<void> => {
  const temporary = `${path}.tmp`
  const handle = await open(temporary, "w")
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await rename(temporary, path)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw cause
  }
  await syncFolder(dirname(path))
}
