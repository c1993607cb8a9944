/** The rows of a CSV text (RFC 4180): quoted cells may hold commas, line breaks and doubled quotes. */
export const readCsv = (text: string): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<Array<string>> = []
  let row: Array<string> = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    if (quoted === undefined && plain === "" && end === "" && row.length === 0) break
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? "")
    if (end === ",") continue
    rows.push(row)
    row = []
  }
  return rows
}
