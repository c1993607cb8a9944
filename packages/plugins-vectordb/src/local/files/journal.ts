import type { ChunkFields } from "@omnirag/core/plugin"
import type { Rows } from "../Rows.ts"
import { CheckedReader } from "./CheckedReader.ts"
import { corrupt } from "./corrupt.ts"
import type { FileMark } from "./Manifest.ts"
import { SummedWriter } from "./SummedWriter.ts"

/**
 * Changes since the base was written, so that one changed document does not rewrite all vectors. A record is two
 * little-endian uint32 (bytes of JSON, rows written), the JSON and the vectors of the rows written.
 */
interface JournalRecord {
  readonly removed: ReadonlyArray<string>
  readonly ids: ReadonlyArray<string>
  readonly fields: ReadonlyArray<ChunkFields>
}

const headBytes = 8
const idsPerRecord = 1024

export const journalFile = (version: number): string => `journal-${version}.log`

/** About how many bytes the changes take, to choose between the journal and a new base. */
export const journalEstimate = (changes: number, dimensions: number): number =>
  changes * (dimensions * 4 + 400)

/** Writes the present state of the changed ids after the marked length. */
export const writeJournal = async (
  folder: string,
  mark: FileMark | null,
  version: number,
  changed: Iterable<string>,
  rows: Rows
): Promise<FileMark> => {
  await using writer =
    mark === null
      ? await SummedWriter.create(folder, journalFile(version))
      : await SummedWriter.append(folder, mark)
  const all = Array.from(changed)
  for (let start = 0; start < all.length; start += idsPerRecord) {
    const removed: Array<string> = []
    const ids: Array<string> = []
    const fields: Array<ChunkFields> = []
    const vectors = new Float32Array(Math.min(idsPerRecord, all.length - start) * rows.dimensions)
    for (const id of all.slice(start, start + idsPerRecord)) {
      const row = rows.table.rowOf(id)
      const found = row === undefined ? undefined : rows.table.fields[row]
      if (row === undefined || found === undefined) {
        removed.push(id)
        continue
      }
      rows.index.read(row, vectors.subarray(ids.length * rows.dimensions, (ids.length + 1) * rows.dimensions))
      ids.push(id)
      fields.push(found)
    }
    const json = Buffer.from(JSON.stringify({ removed, ids, fields } satisfies JournalRecord))
    const head = Buffer.alloc(headBytes)
    head.writeUInt32LE(json.length, 0)
    head.writeUInt32LE(ids.length, 4)
    const floats = Buffer.from(vectors.buffer, 0, ids.length * rows.dimensions * 4)
    await writer.write(Buffer.concat([head, json, floats]))
  }
  return writer.finish()
}

/**
 * Applies the journal to rows that hold the base; `reached` is told each position between two records, from 0 on. Throws `CorruptFile` or `FileVanished`.
 */
export const replayJournal = async (
  folder: string,
  mark: FileMark,
  rows: Rows,
  reached: (position: number) => void = () => undefined
): Promise<void> => {
  // the sum first: nothing damaged is parsed
  await using whole = await CheckedReader.open(folder, mark, true)
  await whole.skipToEnd()
  whole.finish()
  await using reader = await CheckedReader.open(folder, mark, true)
  for (;;) {
    reached(mark.bytes - reader.left)
    if (reader.left === 0) return
    const head = await reader.bytes(headBytes)
    const json = await reader.bytes(head.readUInt32LE(0))
    const count = head.readUInt32LE(4)
    if (count * rows.dimensions * 4 > reader.left) throw corrupt(mark.file, "ends too early")
    const vectors = new Float32Array(count * rows.dimensions)
    await reader.read(new Uint8Array(vectors.buffer))
    // the checksum holds, so this is a record that writeJournal wrote
    const { removed, ids, fields } = JSON.parse(json.toString("utf8")) as JournalRecord
    for (const id of removed) rows.remove(id)
    for (const [i, id] of ids.entries()) {
      const value = fields[i]
      if (value === undefined) throw corrupt(mark.file, "holds a damaged record")
      rows.set(id, value, vectors.subarray(i * rows.dimensions, (i + 1) * rows.dimensions))
    }
  }
}
