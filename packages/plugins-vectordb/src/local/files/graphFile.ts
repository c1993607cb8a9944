import { open, readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { crc32 } from "node:zlib"
import type { GraphIndex } from "../binding/FaissBinding.ts"
import type { Rows } from "../Rows.ts"
import { systemCode } from "./corrupt.ts"
import { syncFolder } from "./durable.ts"
import type { Manifest } from "./Manifest.ts"

/**
 * The HNSW graph of a collection, beside its base. It can always be built again, so the manifest does not name it, a
 * damaged one is no fault, and writing it disturbs nobody. The head of six little-endian uint32 says what it belongs to:
 * format, sums of the vectors and the fields of the base, length of the journal then, bytes of the graph, sum of what
 * follows. That is the graph and the ids of its rows, parted by NUL.
 */
export const graphFile = (version: number): string => `graph-${version}.hnsw`

type Base = NonNullable<Manifest["base"]>

const format = 0x0147_524f
const headBytes = 24

/** Replaces the graph of a version, in one step. Every row must be saved and linked. */
export const writeGraph = async (
  folder: string,
  { base, journal, version }: Manifest & { readonly base: Base },
  rows: Rows,
  graph: GraphIndex
): Promise<void> => {
  const bytes = graph.saveGraph()
  const ids = Buffer.from(rows.table.ids.join("\0"))
  const head = Buffer.alloc(headBytes)
  const sum = crc32(ids, crc32(bytes))
  const values = [format, base.vectors.crc32, base.fields.crc32, journal?.bytes ?? 0, bytes.length, sum]
  for (const [i, value] of values.entries()) head.writeUInt32LE(value, 4 * i)
  const path = join(folder, graphFile(version))
  const temporary = `${path}.tmp`
  try {
    const handle = await open(temporary, "w")
    try {
      for (const part of [head, bytes, ids]) await handle.writeFile(part)
      await handle.datasync()
    } finally {
      await handle.close()
    }
    await rename(temporary, path)
  } catch (cause) {
    await rm(temporary, { force: true })
    throw cause
  }
  await syncFolder(folder)
}

/** A graph read from its file, not in use yet. */
export interface SavedGraph {
  /** It is of the rows as they are when so much of the journal has been replayed. */
  readonly journalBytes: number
  /** Gives the rows their graph; the reason when it does not fit. */
  readonly restore: (rows: Rows, graph: GraphIndex) => string | undefined
}

/** Reads and checks the graph of a version; the reason when it must be built anew. */
export const readGraph = async (
  folder: string,
  version: number,
  base: Base
): Promise<SavedGraph | string> => {
  const file = graphFile(version)
  let bytes: Buffer
  try {
    bytes = await readFile(join(folder, file))
  } catch (cause) {
    const code = systemCode(cause)
    return code === "ENOENT" ? `${file} is not there` : `${file} cannot be read (${code ?? String(cause)})`
  }
  const number = (at: number) => bytes.readUInt32LE(4 * at)
  if (bytes.length < headBytes || number(0) !== format) return `${file} is torn or no graph of this version`
  if (number(5) !== crc32(bytes.subarray(headBytes))) return `${file} fails its checksum`
  if (number(1) !== base.vectors.crc32 || number(2) !== base.fields.crc32)
    return `${file} belongs to other vectors`
  const journalBytes = number(3)
  const end = headBytes + number(4)
  return {
    journalBytes,
    restore: (rows, graph) => {
      const ids = bytes.length === end ? [] : bytes.toString("utf8", end).split("\0")
      const order = Uint32Array.from(ids, (id) => rows.table.rowOf(id) ?? 0xffff_ffff)
      try {
        graph.restoreGraph(bytes.subarray(headBytes, end), order)
        return undefined
      } catch (cause) {
        return `${file} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`
      }
    }
  }
}
