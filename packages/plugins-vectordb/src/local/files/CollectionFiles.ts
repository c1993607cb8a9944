import { mkdir, readdir, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import type { Rows } from "../Rows.ts"
import { baseFiles, readBase, writeBase } from "./base.ts"
import { FileVanished } from "./CheckedReader.ts"
import { corrupt, systemCode } from "./corrupt.ts"
import { replaceFile, syncFolder } from "./durable.ts"
import { graphFile, readGraph, writeGraph } from "./graphFile.ts"
import { journalEstimate, journalFile, replayJournal, writeJournal } from "./journal.ts"
import { emptyManifest, type Manifest, manifestFile, parseManifest, printManifest } from "./Manifest.ts"

const ours = /^(vectors-\d+\.faiss|fields-\d+\.jsonl|journal-\d+\.log|graph-\d+\.hnsw(\.tmp)?)$/
/** The journal may always grow to this size before the base is rewritten. */
const smallJournal = 1 << 20

/** The folder of a collection on another number of dimensions than was asked for. */
export class OtherDimensions extends Error {
  override readonly name = "OtherDimensions"
}

export interface OpenFiles {
  readonly files: CollectionFiles
  readonly rows: Rows
  /** Why the graph must be built anew. */
  readonly note: string | undefined
}

/**
 * The files of one collection: a base of all rows, a journal of changes since, and a manifest that names both with
 * their lengths and checksums. Replacing the manifest is what makes a save take place: before it the old files count,
 * after it the new ones.
 *
 * Opening changes nothing on disk but for a new collection, so that a reader does not disturb a writer.
 */
export class CollectionFiles {
  readonly #folder: string
  #manifest: Manifest
  /** What the graph on disk belongs to. */
  #graph: { readonly version: number; readonly journalBytes: number } | undefined
  /** A process that only reads leaves the files alone. */
  #saved = false

  private constructor(folder: string, manifest: Manifest) {
    this.#folder = folder
    this.#manifest = manifest
  }

  /** Reads a collection into fresh rows, or creates it. `makeRows` may be called again after a broken attempt. */
  static async open(
    folder: string,
    collection: string,
    dimensions: number,
    makeRows: () => Rows
  ): Promise<OpenFiles> {
    for (let attempt = 1; ; attempt++) {
      const manifest = await readManifest(folder, collection, dimensions)
      if (manifest.dimensions !== dimensions)
        throw new OtherDimensions(
          `the collection "${collection}" has ${manifest.dimensions} dimensions, ${dimensions} were asked for`
        )
      const rows = makeRows()
      try {
        const files = new CollectionFiles(folder, manifest)
        const note = await files.#read(rows)
        return { files, rows, note }
      } catch (cause) {
        rows.index.dispose()
        if (!(cause instanceof FileVanished)) throw cause
        // a writer in another process may have replaced the files between our two looks
        const now = await readManifest(folder, collection, dimensions)
        if (now.version === manifest.version || attempt === 5) throw corrupt(cause.file, "is missing")
      }
    }
  }

  /** Whether the manifest on disk is the one these rows were read from or saved with. */
  async isCurrent(): Promise<boolean> {
    const text = await readFile(join(this.#folder, manifestFile), "utf8").catch(() => "")
    return text === printManifest(this.#manifest)
  }

  /** Whether this process wrote anything. */
  get saved(): boolean {
    return this.#saved
  }

  /** Makes the present rows durable; `changed` are the ids written or removed since the last save. */
  async save(rows: Rows, changed: ReadonlySet<string>): Promise<void> {
    if (changed.size === 0) return
    const { base, journal } = this.#manifest
    const grown = (journal?.bytes ?? 0) + journalEstimate(changed.size, rows.dimensions)
    const fits = base !== null && grown <= Math.max(smallJournal, base.vectors.bytes / 2)
    await (fits ? this.#saveJournal(rows, changed) : this.#saveBase(rows))
    this.#saved = true
  }

  /**
   * Keeps the graph of rows that are all saved and all linked, if this process saved any, and unless the one on disk
   * lacks little.
   */
  async saveGraph(rows: Rows): Promise<void> {
    const { base, journal, version } = this.#manifest
    if (rows.graph === undefined || base === null || !this.#saved) return
    const journalBytes = journal?.bytes ?? 0
    const lack = journalBytes - (this.#graph?.journalBytes ?? 0)
    if (this.#graph?.version === version && lack <= Math.max(smallJournal, base.vectors.bytes) / 8) return
    await writeGraph(this.#folder, { ...this.#manifest, base }, rows, rows.graph)
    this.#graph = { version, journalBytes }
  }

  /** Reads everything into fresh rows; gives the reason when their graph must be built anew. */
  async #read(rows: Rows): Promise<string | undefined> {
    const { base, journal, version } = this.#manifest
    if (base === null) return undefined
    await readBase(this.#folder, base, rows)
    const { graph } = rows
    const saved = graph === undefined ? undefined : await readGraph(this.#folder, version, base)
    let note = typeof saved === "object" ? `${graphFile(version)} belongs to another journal` : saved
    const reached = (position: number) => {
      if (graph === undefined || typeof saved !== "object" || position !== saved.journalBytes) return
      note = saved.restore(rows, graph)
      if (note === undefined) this.#graph = { version, journalBytes: position }
    }
    if (journal === null) reached(0)
    else await replayJournal(this.#folder, journal, rows, reached)
    return note
  }

  async #saveJournal(rows: Rows, changed: ReadonlySet<string>): Promise<void> {
    const { journal, version } = this.#manifest
    const mark = await writeJournal(this.#folder, journal, version, changed, rows)
    await this.#commit({ ...this.#manifest, journal: mark })
  }

  async #saveBase(rows: Rows): Promise<void> {
    const version = this.#manifest.version + 1
    try {
      const base = await writeBase(this.#folder, version, rows)
      await this.#commit({ ...this.#manifest, version, base, journal: null })
    } catch (cause) {
      // give the space back: a full disk is a likely cause
      if (this.#manifest.version !== version)
        for (const file of Object.values(baseFiles(version)))
          await rm(join(this.#folder, file), { force: true }).catch(() => undefined)
      throw cause
    }
    await this.#removeOld()
  }

  async #commit(manifest: Manifest): Promise<void> {
    await syncFolder(this.#folder)
    await replaceFile(join(this.#folder, manifestFile), printManifest(manifest))
    this.#manifest = manifest
  }

  /** Removes the files of other versions: the old ones, and what an interrupted save left. */
  async #removeOld(): Promise<void> {
    const { base, version } = this.#manifest
    const kept = new Set([base?.vectors.file, base?.fields.file, journalFile(version), graphFile(version)])
    for (const file of await readdir(this.#folder))
      // one that cannot be removed only takes space, and the next save tries again
      if (ours.test(file) && !kept.has(file))
        await rm(join(this.#folder, file), { force: true }).catch(() => undefined)
  }
}

const readManifest = async (folder: string, collection: string, dimensions: number): Promise<Manifest> => {
  const path = join(folder, manifestFile)
  try {
    return parseManifest(await readFile(path, "utf8"), collection)
  } catch (cause) {
    if (systemCode(cause) === "EISDIR") throw corrupt(path, "is a folder")
    if (systemCode(cause) !== "ENOENT") throw cause
  }
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).some((file) => ours.test(file)))
    throw corrupt(path, "is missing, although there are files of vectors beside it")
  const manifest = emptyManifest(collection, dimensions)
  await replaceFile(path, printManifest(manifest))
  return manifest
}
