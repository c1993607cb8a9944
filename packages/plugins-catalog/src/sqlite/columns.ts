import type { SQLOutputValue } from "node:sqlite"
import type { CheckedValue } from "./checksum.ts"

/** A row as `node:sqlite` gives it. */
export type Row = Readonly<Record<string, SQLOutputValue>>

const mismatch = (column: string, wanted: string, value: SQLOutputValue | undefined): Error =>
  new Error(`column ${column} should hold ${wanted} but holds ${value === null ? "null" : typeof value}`)

export const textOf = (row: Row, column: string): string => {
  const value = row[column]
  if (typeof value !== "string") throw mismatch(column, "text", value)
  return value
}

export const numberOf = (row: Row, column: string): number => {
  const value = row[column]
  if (typeof value !== "number") throw mismatch(column, "a number", value)
  return value
}

export const bytesOf = (row: Row, column: string): Uint8Array => {
  const value = row[column]
  if (!(value instanceof Uint8Array)) throw mismatch(column, "bytes", value)
  return value
}

export const textOrNull = (row: Row, column: string): string | null =>
  row[column] === null ? null : textOf(row, column)

export const numberOrNull = (row: Row, column: string): number | null =>
  row[column] === null ? null : numberOf(row, column)

/** A value of any kind but bytes, as a checksum covers it. */
export const checkedOf = (row: Row, column: string): CheckedValue => {
  const value = row[column]
  if (value === null || typeof value === "string" || typeof value === "number") return value
  throw mismatch(column, "text or a number", value)
}

/** The members of a list of strings kept as JSON. */
export const stringsOf = (row: Row, column: string): ReadonlyArray<string> => {
  const value: unknown = JSON.parse(textOf(row, column))
  if (!Array.isArray(value) || !value.every((item): item is string => typeof item === "string"))
    throw new Error(`column ${column} should hold a list of strings`)
  return value
}
