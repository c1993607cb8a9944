import type { Dirent } from "node:fs"
import { readdir } from "node:fs/promises"

/** One name in a folder. */
export interface FolderItem {
  readonly name: string
  /** `unnamed…`: the name is not valid UTF-8, so no path in text form can reach the file. */
  readonly kind: "folder" | "file" | "link" | "pipe" | "socket" | "device" | "unnamed" | "unnamedFolder"
}

const kindOf = (entry: Dirent<string> | Dirent<Buffer>): FolderItem["kind"] =>
  entry.isFile()
    ? "file"
    : entry.isDirectory()
      ? "folder"
      : entry.isSymbolicLink()
        ? "link"
        : entry.isFIFO()
          ? "pipe"
          : entry.isSocket()
            ? "socket"
            : "device"

/** A folder is sorted by the paths below it, which continue with a slash: `a.md` before `a/b.md` before `a0.md`. */
const sortKey = (item: FolderItem): string => (item.kind === "folder" ? `${item.name}/` : item.name)

const byPath = (left: FolderItem, right: FolderItem): number => {
  const a = sortKey(left)
  const b = sortKey(right)
  return a < b ? -1 : a > b ? 1 : 0
}

/** Lists a folder so that a depth-first walk meets all paths in the order of their UTF-16 code units. */
export const listFolder = async (absolute: string): Promise<ReadonlyArray<FolderItem>> => {
  const entries = await readdir(absolute, { withFileTypes: true })
  const items: Array<FolderItem> = entries.some((entry) => entry.name.includes("\uFFFD"))
    ? await listBytes(absolute)
    : entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
  return items.toSorted(byPath)
}

/** A replacement character may be part of a name, or come from bytes that are not UTF-8: only the bytes show which. */
const listBytes = async (absolute: string): Promise<Array<FolderItem>> => {
  const entries = await readdir(absolute, { withFileTypes: true, encoding: "buffer" })
  return entries.map((entry) => {
    const name = entry.name.toString("utf8")
    const valid = Buffer.from(name, "utf8").equals(entry.name)
    return { name, kind: valid ? kindOf(entry) : entry.isDirectory() ? "unnamedFolder" : "unnamed" }
  })
}
