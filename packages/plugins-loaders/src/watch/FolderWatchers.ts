import { type FSWatcher, watch } from "node:fs"
import { join } from "node:path"
import type { IgnoreRules } from "../walk/IgnoreRules.ts"

/** What the system says about one folder. */
export interface FolderEvent {
  readonly folder: string
  /** The name in the folder; null where the system does not say. */
  readonly name: string | null
  /** A name has come or gone, as opposed to the content of a file. */
  readonly renamed: boolean
}

/** The system's watchers of the folders below a root, each with the rules that hold above its own `.gitignore`. */
export class FolderWatchers {
  readonly #root: string
  readonly #onEvent: (event: FolderEvent) => void
  readonly #watched = new Map<
    string,
    { readonly watcher: FSWatcher; readonly rules: IgnoreRules | undefined }
  >()

  constructor(root: string, onEvent: (event: FolderEvent) => void) {
    this.#root = root
    this.#onEvent = onEvent
  }

  get size(): number {
    return this.#watched.size
  }

  has(folder: string): boolean {
    return this.#watched.has(folder)
  }

  rulesAbove(folder: string): IgnoreRules | undefined {
    return this.#watched.get(folder)?.rules
  }

  /** Throws the system's error, such as that of its limit of watched folders. */
  add(folder: string, rulesAbove: IgnoreRules | undefined): void {
    const watcher = watch(join(this.#root, folder), (type, name) =>
      this.#onEvent({ folder, name, renamed: type === "rename" })
    )
    // the folder is gone, or cannot be watched any more: its parent, or the next look at it, finds out
    watcher.on("error", () => this.#onEvent({ folder, name: null, renamed: true }))
    this.#watched.get(folder)?.watcher.close()
    this.#watched.set(folder, { watcher, rules: rulesAbove })
  }

  /** Stops watching a folder and all below it. */
  remove(folder: string): void {
    for (const [path, { watcher }] of this.#watched) {
      if (folder !== "" && path !== folder && !path.startsWith(`${folder}/`)) continue
      watcher.close()
      this.#watched.delete(path)
    }
  }
}
