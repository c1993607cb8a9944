import type { ChunkFields } from "@omnirag/core/plugin"
import type { Rows } from "../Rows.ts"
import { CheckedReader } from "./CheckedReader.ts"
import { corrupt } from "./corrupt.ts"
import { faissHeader, faissHeaderBytes, faissHeaderFault } from "./faissHeader.ts"
import type { Manifest } from "./Manifest.ts"
import { SummedWriter } from "./SummedWriter.ts"

type Base = NonNullable<Manifest["base"]>

const chunkBytes = 4 << 20

/** So many rows are read or written at once. */
const rowsPerChunk = (dimensions: number): number => Math.max(1, Math.floor(chunkBytes / (4 * dimensions)))

const asBytes = (floats: Float32Array): Uint8Array =>
  new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength)

export const baseFiles = (version: number) => ({
  vectors: `vectors-${version}.faiss`,
  fields: `fields-${version}.jsonl`
})

const linesPerWrite = 2048
const bytesPerParse = 1 << 19
const newline = 10

/** Writes every row to the files of a new version. */
export const writeBase = async (folder: string, version: number, rows: Rows): Promise<Base> => {
  const names = baseFiles(version)
  const count = rows.table.size
  await using vectors = await SummedWriter.create(folder, names.vectors)
  await vectors.write(faissHeader(rows.dimensions, count))
  const step = rowsPerChunk(rows.dimensions)
  for (let row = 0; row < count; row += step) {
    const chunk = new Float32Array(Math.min(step, count - row) * rows.dimensions)
    rows.index.read(row, chunk)
    await vectors.write(asBytes(chunk))
  }
  await using fields = await SummedWriter.create(folder, names.fields)
  for (let row = 0; row < count; row += linesPerWrite) {
    let text = ""
    for (let i = row; i < Math.min(count, row + linesPerWrite); i++)
      text += `${JSON.stringify([rows.table.ids[i], rows.table.fields[i]])}\n`
    await fields.write(Buffer.from(text))
  }
  return { rows: count, vectors: await vectors.finish(), fields: await fields.finish() }
}

const readFields = async (folder: string, base: Base): Promise<ReadonlyArray<[string, ChunkFields]>> => {
  await using reader = await CheckedReader.open(folder, base.fields)
  const text = await reader.bytes(base.fields.bytes)
  reader.finish()
  const rows: Array<[string, ChunkFields]> = []
  for (let start = 0; start < text.length;) {
    const end = text.indexOf(newline, Math.min(start + bytesPerParse, text.length) - 1)
    // the checksum holds, so these are the lines that writeBase wrote; many at once parse in half the time, and JSON
    // has no line ends but those between the rows
    const lines = text.toString("utf8", start, end).replaceAll("\n", ",")
    for (const row of JSON.parse(`[${lines}]`) as ReadonlyArray<[string, ChunkFields]>) rows.push(row)
    start = end + 1
    // other collections of this thread answer in between
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (rows.length !== base.rows)
    throw corrupt(base.fields.file, `has ${rows.length} rows where the manifest says ${base.rows}`)
  return rows
}

/** Reads every row of a version. Throws `CorruptFile` or `FileVanished`. */
export const readBase = async (folder: string, base: Base, rows: Rows): Promise<void> => {
  const { dimensions } = rows
  const expected = faissHeaderBytes + base.rows * dimensions * 4
  if (base.vectors.bytes !== expected)
    throw corrupt(base.vectors.file, `cannot hold ${base.rows} rows of ${dimensions} dimensions`)
  const fields = await readFields(folder, base)
  await using reader = await CheckedReader.open(folder, base.vectors)
  const fault = faissHeaderFault(await reader.bytes(faissHeaderBytes), dimensions, base.rows)
  if (fault !== undefined) throw corrupt(base.vectors.file, fault)
  rows.index.reserve(base.rows)
  const step = rowsPerChunk(dimensions)
  const buffer = new Float32Array(Math.min(step, base.rows) * dimensions)
  for (let row = 0; row < base.rows; row += step) {
    const chunk = buffer.subarray(0, Math.min(step, base.rows - row) * dimensions)
    await reader.read(asBytes(chunk))
    rows.index.append(chunk)
  }
  reader.finish()
  for (const [id, value] of fields) rows.table.set(id, value)
  if (rows.table.size !== base.rows) throw corrupt(base.fields.file, "holds an id twice")
}
