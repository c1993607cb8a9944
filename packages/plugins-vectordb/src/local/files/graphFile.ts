import { open, readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { crc32 } from "node:zlib"
import type { GraphIndex } from "../binding/FaissBinding.ts"
import { systemCode } from "./corrupt.ts"
import { syncFolder } from "./durable.ts"
import type { Manifest } from "./Manifest.ts"

/**
 * The HNSW graph over a base, beside it. It can always be built again, so the manifest does not name it and a damaged
 * one is no fault: it names the base by its checksums, and its own checksum is in its head of four little-endian uint32
 * (format, sum of the vectors, sum of the fields, sum of the graph).
 */
export const graphFile = (version: number): string => `graph-${version}.hnsw`

type Base = NonNullable<Manifest["base"]>

const format = 0x0147_524f
const headBytes = 16

/** Replaces the graph of a base, in one step. */
export const writeGraph = async (
  folder: string,
  version: number,
  base: Base,
  graph: GraphIndex
): Promise<void> => {
  const bytes = graph.saveGraph()
  const head = Buffer.alloc(headBytes)
  for (const [i, value] of [format, base.vectors.crc32, base.fields.crc32, crc32(bytes)].entries())
    head.writeUInt32LE(value, 4 * i)
  const path = join(folder, graphFile(version))
  const temporary = `${path}.tmp`
  try {
    const handle = await open(temporary, "w")
    try {
      await handle.writeFile(head)
      await handle.writeFile(bytes)
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

/** Gives the rows of a base their graph back; the reason when it must be built anew. */
export const readGraph = async (
  folder: string,
  version: number,
  base: Base,
  graph: GraphIndex
): Promise<string | undefined> => {
  const file = graphFile(version)
  let bytes: Buffer
  try {
    bytes = await readFile(join(folder, file))
  } catch (cause) {
    return `${file} ${systemCode(cause) === "ENOENT" ? "is not there" : `cannot be read (${systemCode(cause) ?? String(cause)})`}`
  }
  const payload = bytes.subarray(headBytes)
  if (bytes.length < headBytes || bytes.readUInt32LE(0) !== format)
    return `${file} is torn or no graph of this version`
  if (bytes.readUInt32LE(12) !== crc32(payload)) return `${file} fails its checksum`
  if (bytes.readUInt32LE(4) !== base.vectors.crc32 || bytes.readUInt32LE(8) !== base.fields.crc32)
    return `${file} belongs to other vectors`
  try {
    graph.restoreGraph(payload)
    return undefined
  } catch (cause) {
    return `${file} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`
  }
}
