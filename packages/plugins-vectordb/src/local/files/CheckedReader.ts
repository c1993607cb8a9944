import { open, type FileHandle } from "node:fs/promises"
import { join } from "node:path"
import { crc32 } from "node:zlib"
import { corrupt, systemCode } from "./corrupt.ts"
import type { FileMark } from "./Manifest.ts"

/** A file was not there although the manifest names it; another process may just have replaced both. */
export class FileVanished extends Error {
  override readonly name = "FileVanished"
  readonly file: string
  constructor(file: string) {
    super(`${file} is missing`)
    this.file = file
  }
}

/** Reads a file from its start and sums it up on the way; `finish` compares with the mark. */
export class CheckedReader implements AsyncDisposable {
  readonly #handle: FileHandle
  readonly #mark: FileMark
  #position = 0
  #sum = 0

  private constructor(handle: FileHandle, mark: FileMark) {
    this.#handle = handle
    this.#mark = mark
  }

  /** `longer` allows bytes after the marked length, which are not read. */
  static async open(folder: string, mark: FileMark, longer = false): Promise<CheckedReader> {
    const handle = await open(join(folder, mark.file), "r").catch((cause: unknown) => {
      throw systemCode(cause) === "ENOENT" ? new FileVanished(mark.file) : cause
    })
    try {
      const stat = await handle.stat()
      if (!stat.isFile()) throw corrupt(mark.file, "is no regular file")
      const { size } = stat
      if (size < mark.bytes || (size > mark.bytes && !longer))
        throw corrupt(mark.file, `has ${size} bytes where the manifest says ${mark.bytes}`)
      return new CheckedReader(handle, mark)
    } catch (cause) {
      await handle.close()
      throw cause
    }
  }

  get left(): number {
    return this.#mark.bytes - this.#position
  }

  /** Fills the whole of `into`. */
  async read(into: Uint8Array): Promise<void> {
    if (into.length > this.left) throw corrupt(this.#mark.file, "ends too early")
    let filled = 0
    while (filled < into.length) {
      const { bytesRead } = await this.#handle.read(
        into,
        filled,
        into.length - filled,
        this.#position + filled
      )
      if (bytesRead === 0) throw corrupt(this.#mark.file, "ends too early")
      filled += bytesRead
    }
    this.#position += into.length
    this.#sum = crc32(into, this.#sum)
  }

  async bytes(length: number): Promise<Buffer> {
    if (length > this.left) throw corrupt(this.#mark.file, "ends too early")
    const buffer = Buffer.allocUnsafe(length)
    await this.read(buffer)
    return buffer
  }

  async skipToEnd(): Promise<void> {
    const buffer = Buffer.allocUnsafe(Math.min(1 << 20, this.left))
    while (this.left > 0) await this.read(buffer.subarray(0, Math.min(buffer.length, this.left)))
  }

  /** Throws `CorruptFile` unless the whole file was read and its sum is right. */
  finish(): void {
    if (this.left !== 0 || this.#sum !== this.#mark.crc32)
      throw corrupt(this.#mark.file, "fails its checksum")
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close()
  }
}
