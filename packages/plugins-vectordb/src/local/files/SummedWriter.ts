import { open, type FileHandle } from "node:fs/promises"
import { join } from "node:path"
import { crc32 } from "node:zlib"
import type { FileMark } from "./Manifest.ts"

/** Writes a file and sums it up on the way; `finish` makes it durable and gives its mark. */
export class SummedWriter implements AsyncDisposable {
  readonly #handle: FileHandle
  readonly #file: string
  #bytes: number
  #sum: number

  private constructor(handle: FileHandle, mark: FileMark) {
    this.#handle = handle
    this.#file = mark.file
    this.#bytes = mark.bytes
    this.#sum = mark.crc32
  }

  static async create(folder: string, file: string): Promise<SummedWriter> {
    return new SummedWriter(await open(join(folder, file), "w"), { file, bytes: 0, crc32: 0 })
  }

  /** Continues after the marked length; what a broken save left behind it is cut off. */
  static async append(folder: string, mark: FileMark): Promise<SummedWriter> {
    const handle = await open(join(folder, mark.file), "r+")
    try {
      await handle.truncate(mark.bytes)
      return new SummedWriter(handle, mark)
    } catch (cause) {
      await handle.close()
      throw cause
    }
  }

  async write(data: Uint8Array): Promise<void> {
    let written = 0
    while (written < data.length) {
      const { bytesWritten } = await this.#handle.write(
        data,
        written,
        data.length - written,
        this.#bytes + written
      )
      written += bytesWritten
    }
    this.#bytes += data.length
    this.#sum = crc32(data, this.#sum)
  }

  async finish(): Promise<FileMark> {
    await this.#handle.datasync()
    return { file: this.#file, bytes: this.#bytes, crc32: this.#sum }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close()
  }
}
