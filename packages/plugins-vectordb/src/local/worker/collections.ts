import { rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import type { ChunkFields } from "@omnirag/core/plugin"
import { type BindingChoice, installAdvice, loadBinding, type LoadedBinding } from "../binding/loadBinding.ts"
import { Collection, type GraphProgress } from "../Collection.ts"
import type { CollectionPlace } from "../CollectionPlace.ts"
import type { OpenIndex } from "../Rows.ts"
import type { Handle, IndexChoice, Operation, Operations } from "./protocol.ts"
import { StoreFault } from "./StoreFault.ts"

/** A collection and how many times it is open. */
interface Entry {
  readonly folder: string
  readonly collection: Promise<Collection>
  users: number
  /** Its files have been removed under it. */
  dropped: boolean
}

interface Staged {
  readonly ids: Array<string>
  readonly fields: Array<ChunkFields>
}

type Handlers = {
  readonly [Name in Operation]: (
    input: Operations[Name]["input"]
  ) => Operations[Name]["output"] | Promise<Operations[Name]["output"]>
}

const folderOf = (place: CollectionPlace): string => join(resolve(place.folder), "vectors", place.collection)

/** All collections this process has open, and what can be asked of them. */
export const makeHandlers = (): Handlers => {
  const bindings = new Map<BindingChoice, LoadedBinding>()
  const byFolder = new Map<string, Entry>()
  const byHandle = new Map<Handle, Entry>()
  /** Folders whose last user just left: the next may enter when the files are at rest. */
  const closing = new Map<string, Promise<void>>()
  const staged = new Map<number, Staged>()
  let lastHandle = 0

  const load = ({ binding, graph }: IndexChoice): LoadedBinding => {
    // only the addon has graphs
    const choice = graph !== undefined && binding === "auto" ? "addon" : binding
    const known = bindings.get(choice) ?? loadBinding(choice)
    bindings.set(choice, known)
    return known
  }

  const indexMaker = (
    { binding }: LoadedBinding,
    { graph: options }: IndexChoice
  ): ((dimensions: number) => OpenIndex) => {
    if (options === undefined) return (dimensions) => ({ index: binding.open(dimensions), graph: undefined })
    const { openGraph } = binding
    if (openGraph === undefined)
      throw new StoreFault({
        reason: "unavailable",
        message: `index: hnsw needs the binding "addon", not "${binding.name}"; ${installAdvice}`
      })
    return (dimensions) => {
      const graph = openGraph(dimensions, options)
      return { index: graph, graph }
    }
  }

  const get = (handle: Handle): Promise<Collection> => {
    const entry = byHandle.get(handle)
    if (entry === undefined || entry.dropped)
      throw new StoreFault({
        reason: "closed",
        message: "the collection is closed or dropped"
      })
    return entry.collection
  }

  const release = async (entry: Entry): Promise<void> => {
    entry.users -= 1
    if (entry.users > 0 || entry.dropped) return
    if (byFolder.get(entry.folder) === entry) byFolder.delete(entry.folder)
    await leave(entry)
  }

  const leave = async (entry: Entry, forDrop = false): Promise<void> => {
    // one that did not open has nothing to close
    const closed = entry.collection.then((collection) => collection.close(forDrop)).catch(() => undefined)
    closing.set(entry.folder, closed)
    await closed
    if (closing.get(entry.folder) === closed) closing.delete(entry.folder)
  }

  /** Forgets, for those who open it from now on, a collection whose files another process has written since. */
  const leaveStale = async (folder: string): Promise<void> => {
    const open = byFolder.get(folder)
    if (open === undefined) return
    // one that did not open says so to whoever opened it
    const current = await open.collection.then((collection) => collection.isCurrent()).catch(() => true)
    if (!current && byFolder.get(folder) === open) byFolder.delete(folder)
  }

  const enter = async (
    folder: string,
    place: CollectionPlace,
    dimensions: number,
    makeIndex: (dimensions: number) => OpenIndex
  ): Promise<Collection> => {
    await closing.get(folder)
    return Collection.open(place, dimensions, folder, makeIndex)
  }

  return {
    open: async ({ dimensions, index, place }) => {
      const folder = folderOf(place)
      const loaded = load(index)
      const makeIndex = indexMaker(loaded, index)
      await leaveStale(folder)
      const shared = byFolder.get(folder)
      const entry: Entry = shared ?? {
        folder,
        collection: enter(folder, place, dimensions, makeIndex),
        users: 0,
        dropped: false
      }
      entry.users += 1
      byFolder.set(folder, entry)
      let collection: Collection
      try {
        collection = await entry.collection
      } catch (cause) {
        if (byFolder.get(folder) === entry) byFolder.delete(folder)
        throw cause
      }
      if (collection.dimensions !== dimensions) {
        await release(entry)
        throw new StoreFault({
          reason: "dimensions",
          message: `the collection "${place.collection}" has ${collection.dimensions} dimensions, ${dimensions} were asked for`
        })
      }
      const handle = ++lastHandle
      byHandle.set(handle, entry)
      const note = shared === undefined ? collection.note : undefined
      return { handle, binding: loaded.binding.name, warning: loaded.warning, note }
    },
    describe: async ({ index }) => {
      const loaded = load(index)
      indexMaker(loaded, index)
      const graphs: Array<GraphProgress> = []
      if (index.graph !== undefined)
        // one that does not open tells its fault to those who open it
        for (const opened of await Promise.allSettled(Array.from(byFolder.values(), (one) => one.collection)))
          if (opened.status === "fulfilled") graphs.push(opened.value.progress)
      return { description: loaded.binding.description, warning: loaded.warning, graphs }
    },
    close: async ({ handle }) => {
      const entry = byHandle.get(handle)
      byHandle.delete(handle)
      if (entry !== undefined) await release(entry)
    },
    drop: async ({ place }) => {
      const folder = folderOf(place)
      const entry = byFolder.get(folder)
      byFolder.delete(folder)
      if (entry !== undefined) {
        entry.dropped = true
        await leave(entry, true)
      }
      await closing.get(folder)
      await rm(folder, { recursive: true, force: true })
    },
    stage: ({ batch, rows }) => {
      // written by the main thread from a VectorBatch, just before
      const [ids, fields] = JSON.parse(rows) as [Array<string>, Array<ChunkFields>]
      const known = staged.get(batch)
      if (known === undefined) staged.set(batch, { ids, fields })
      else {
        for (const id of ids) known.ids.push(id)
        for (const value of fields) known.fields.push(value)
      }
    },
    discard: ({ batch }) => {
      staged.delete(batch)
    },
    upsert: async ({ batch, handle, vectors }) => {
      const rows = staged.get(batch) ?? { ids: [], fields: [] }
      staged.delete(batch)
      await (await get(handle)).upsert(rows.ids, rows.fields, vectors)
    },
    reserve: async ({ handle, rows }) => (await get(handle)).reserve(rows),
    query: async ({ handle, limits, topK, vector }) => (await get(handle)).query(vector, topK, limits),
    remove: async ({ handle, ids }) => (await get(handle)).remove(ids),
    removeWhere: async ({ handle, where }) => (await get(handle)).removeWhere(where),
    count: async ({ handle, where }) => (await get(handle)).count(where),
    page: async ({ after, handle, limit }) => (await get(handle)).page(after, limit),
    flush: async ({ handle }) => (await get(handle)).flush()
  }
}
