/**
 * The 45 bytes before the vectors of a FAISS flat index file (faiss/impl/index_write.cpp): fourcc, dimensions, rows,
 * two unused numbers, trained flag, metric (0 = inner product), count of floats. So FAISS itself can read our files.
 */
export const faissHeaderBytes = 45
const innerProduct = 0

export const faissHeader = (dimensions: number, rows: number): Buffer => {
  const header = Buffer.alloc(faissHeaderBytes)
  header.write("IxFI", 0, "latin1")
  header.writeInt32LE(dimensions, 4)
  header.writeBigInt64LE(BigInt(rows), 8)
  header.writeBigInt64LE(1n << 20n, 16)
  header.writeBigInt64LE(1n << 20n, 24)
  header.writeUInt8(1, 32)
  header.writeInt32LE(innerProduct, 33)
  header.writeBigUInt64LE(BigInt(rows) * BigInt(dimensions), 37)
  return header
}

/** What is wrong with a header, or undefined. */
export const faissHeaderFault = (header: Buffer, dimensions: number, rows: number): string | undefined => {
  const fourcc = header.toString("latin1", 0, 4)
  if (fourcc === "IxF2" || (fourcc === "IxFI" && header.readInt32LE(33) !== innerProduct))
    return "is a FAISS index of another metric than the inner product"
  if (fourcc !== "IxFI") return "is no FAISS flat index"
  if (header.readInt32LE(4) !== dimensions)
    return `has ${header.readInt32LE(4)} dimensions where the manifest says ${dimensions}`
  if (header.readBigInt64LE(8) !== BigInt(rows))
    return `has ${header.readBigInt64LE(8)} rows where the manifest says ${rows}`
  return header.equals(faissHeader(dimensions, rows)) ? undefined : "has a damaged header"
}
