import { type FSWatcher, watch } from "node:fs"
import { join } from "node:path"
import type { IgnoreRules } from "../walk/IgnoreRules.ts"

/** A notice of the operating system about one folder. */
export interface FolderEvent {
  readonly folder: string
  /** The name in the folder; null when the system does not give it. */
  readonly name: string | null
  /** A name was added or removed, as opposed to a change of a file's content. */
  readonly renamed: boolean
}

/** The operating system's watchers of the folders below a root, each with the rules from above its own `.gitignore`. */
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

  /** Throws the system's error, for example when the limit of watched folders is reached. */
  add(folder: string, rulesAbove: IgnoreRules | undefined): void {
    const watcher = watch(join(this.#root, folder), (type, name) =>
      this.#onEvent({ folder, name, renamed: type === "rename" })
    )
    // the folder was removed or cannot be watched any more: a notice for its parent, or the next walk, shows which
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
