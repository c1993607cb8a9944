import type { RowFault } from "@omnirag/core/batch"
import type { IndexCorrupt, VectorStoreError } from "@omnirag/core/plugin"

// The errors of the worker thread, which does not load the classes of core: starting it would take half a second
// longer. On the main thread they become those classes (VectorWorker.ts).

/** Becomes a `VectorStoreError`. */
export class StoreFault extends Error {
  override readonly name = "StoreFault"
  readonly reason: VectorStoreError["reason"]

  constructor({ message, reason }: RowFault) {
    super(message)
    this.reason = reason
  }
}

/** Becomes an `IndexCorrupt`. */
export class CorruptFile extends Error {
  override readonly name = "CorruptFile"
  readonly file: string
  readonly reason: string
  readonly remedy: IndexCorrupt["remedy"]

  constructor(fault: Pick<IndexCorrupt, "file" | "reason" | "remedy">) {
    super(`${fault.file}: ${fault.reason}`)
    this.file = fault.file
    this.reason = fault.reason
    this.remedy = fault.remedy
  }
}
