import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

/** The TypeScript files below a folder, with their absolute paths. */
export const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes("/node_modules/"))

const importStatement =
  /^(?:import|export) (?:type )?(?:\* as \w+|\w+|\*|(?:\w+, )?\{[^}]*\}) from "([^"]+)"|^import "([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)/gm

/** What a file imports, as it is written: types, re-exports and dynamic imports too. */
export const importsOf = (file: string): ReadonlyArray<string> =>
  [...readFileSync(file, "utf8").matchAll(importStatement)].map(
    ([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? ""
  )

/** The files that a file imports by a relative path, with their absolute paths. */
export const relativeImportsOf = (file: string): ReadonlyArray<string> =>
  importsOf(file)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => resolve(dirname(file), specifier))

/**
 * The circles of a graph: sets of two and more nodes that all reach each other (its strongly connected components, found
 * with Tarjan's algorithm), and nodes that point to themselves.
 */
export const circlesOf = (
  graph: ReadonlyMap<string, ReadonlyArray<string>>
): ReadonlyArray<ReadonlyArray<string>> => {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: Array<string> = []
  const circles: Array<ReadonlyArray<string>> = []
  const lower = (node: string, to: number | undefined): void => {
    if (to !== undefined) lowest.set(node, Math.min(lowest.get(node) ?? to, to))
  }
  const visit = (node: string): void => {
    order.set(node, order.size)
    lower(node, order.get(node))
    path.push(node)
    const next = graph.get(node) ?? []
    for (const target of next) {
      if (!graph.has(target)) continue
      if (!order.has(target)) {
        visit(target)
        lower(node, lowest.get(target))
      } else if (path.includes(target)) lower(node, order.get(target))
    }
    if (lowest.get(node) !== order.get(node)) return
    const members = path.splice(path.indexOf(node))
    if (members.length > 1 || next.includes(node)) circles.push(members.toSorted())
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return circles
}
