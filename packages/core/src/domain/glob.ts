/**
 * Path globs in linear time. Globs come from the API: a backtracking regular expression made of `*a*a*a*a*a*b` would
 * block the process for hours. Here a glob becomes a nondeterministic automaton that is in all its states at once. The
 * sets of states it has met are remembered (a deterministic automaton that is built as needed).
 */

type Test = (character: string) => boolean

/** A state reads one character (`test`) and goes to `next`; without `test` it stands for all states of `next`. */
interface State {
  readonly test: Test | undefined
  next: ReadonlyArray<State>
}

/** Parts of a glob; each is compiled in front of what follows it. */
type Node = (after: State) => State

const reading =
  (test: Test): Node =>
  (after) => ({ test, next: [after] })

const repeated =
  (test: Test): Node =>
  (after) => {
    const loop: State = { test: undefined, next: [] }
    loop.next = [{ test, next: [loop] }, after]
    return loop
  }

const sequence =
  (nodes: ReadonlyArray<Node>): Node =>
  (after) =>
    nodes.reduceRight((next, node) => node(next), after)

const choice =
  (nodes: ReadonlyArray<Node>): Node =>
  (after) => ({ test: undefined, next: nodes.map((node) => node(after)) })

const anything: Test = () => true
const withinFolder: Test = (character) => character !== "/"
const slash = reading((character) => character === "/")
const nothing = sequence([])

/** `[abc]`, `[a-z]`, `[!a]`: the members as code points. */
const classOf = (body: ReadonlyArray<string>): Test => {
  const negated = body[0] === "!" || body[0] === "^"
  const members = negated ? body.slice(1) : body
  const ranges: Array<readonly [string, string]> = []
  for (let index = 0; index < members.length; index++) {
    const from = members[index] ?? ""
    const to = members[index + 1] === "-" ? members[index + 2] : undefined
    ranges.push([from, to ?? from])
    if (to !== undefined) index += 2
  }
  const point = (character: string) => character.codePointAt(0) ?? 0
  return (character) =>
    withinFolder(character) &&
    ranges.some(([from, to]) => point(character) >= point(from) && point(character) <= point(to)) !== negated
}

/** The index of the closing brace for the one opened before `start`; -1 when there is none, or no comma inside. */
const braceEnd = (glob: ReadonlyArray<string>, start: number): number => {
  let depth = 1
  let isChoice = false
  for (let index = start; index < glob.length; index++) {
    const character = glob[index]
    if (character === "\\") index++
    else if (character === "{") depth++
    else if (character === "," && depth === 1) isChoice = true
    else if (character === "}" && --depth === 0) return isChoice ? index : -1
  }
  return -1
}

/** The alternatives between a brace and its end. */
const alternatives = (body: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const parts: Array<ReadonlyArray<string>> = []
  let depth = 0
  let start = 0
  for (let index = 0; index < body.length; index++) {
    const character = body[index]
    if (character === "\\") index++
    else if (character === "{") depth++
    else if (character === "}") depth--
    else if (character === "," && depth === 0) {
      parts.push(body.slice(start, index))
      start = index + 1
    }
  }
  return [...parts, body.slice(start)]
}

const parse = (glob: ReadonlyArray<string>): Node => {
  const nodes: Array<Node> = []
  let index = 0
  const at = (offset: number) => glob[index + offset]
  while (index < glob.length) {
    const character = glob[index] ?? ""
    const startsSegment = index === 0 || glob[index - 1] === "/"
    if (character === "/" && at(1) === "*" && at(2) === "*" && at(3) === undefined) {
      // "a/**": the folder itself and all below it
      nodes.push(choice([sequence([slash, repeated(anything)]), nothing]))
      index += 3
    } else if (startsSegment && character === "*" && at(1) === "*" && at(2) === "/") {
      nodes.push(choice([sequence([repeated(anything), slash]), nothing]))
      index += 3
    } else if (startsSegment && character === "*" && at(1) === "*" && at(2) === undefined) {
      nodes.push(repeated(anything))
      index += 2
    } else if (character === "*") {
      const start = index
      while (glob[index] === "*") index++
      const isSegment = startsSegment && (glob[index] === undefined || glob[index] === "/")
      if (isSegment && start < index) nodes.push(reading(withinFolder))
      nodes.push(repeated(withinFolder))
    } else if (character === "?") {
      nodes.push(reading(withinFolder))
      index++
    } else if (character === "[" && glob.indexOf("]", index + 2) !== -1) {
      const end = glob.indexOf("]", index + 2)
      nodes.push(reading(classOf(glob.slice(index + 1, end))))
      index = end + 1
    } else if (character === "{" && braceEnd(glob, index + 1) !== -1) {
      const end = braceEnd(glob, index + 1)
      nodes.push(choice(alternatives(glob.slice(index + 1, end)).map(parse)))
      index = end + 1
    } else {
      const literal = character === "\\" ? (at(1) ?? "\\") : character
      nodes.push(reading((read) => read === literal))
      index += character === "\\" ? 2 : 1
    }
  }
  return sequence(nodes)
}

/** A set of states, with the sets that characters lead to, as far as they are known. */
interface StateSet {
  readonly states: ReadonlyArray<State>
  readonly accepts: boolean
  readonly steps: Map<string, StateSet>
}

/** Steps remembered for one glob; normal paths need a few hundred. */
const rememberedSteps = 10_000

/**
 * A test for a path glob: `*` within a folder, `**` across folders, `?`, `{a,b}`, `[abc]`, `[a-z]`, `[!a]`, `\` before
 * a character that stands for itself. Dot files match too; upper and lower case differ. Takes time linear in the path.
 */
export const globMatcher = (glob: string): ((path: string) => boolean) => {
  const end: State = { test: undefined, next: [] }
  // "a/**/**" is "a/**"
  const first = parse([...glob.replaceAll(/(?<=^|\/)(?:\*\*\/)+(?=\*\*(?:\/|$))/g, "")])(end)
  const numbers = new Map<State, number>()
  const sets = new Map<string, StateSet>()
  let steps = 0

  const setOf = (from: ReadonlyArray<State>): StateSet => {
    const states = new Set<State>()
    const pending = [...from]
    for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
      if (states.has(state)) continue
      states.add(state)
      if (!numbers.has(state)) numbers.set(state, numbers.size)
      if (state.test === undefined) pending.push(...state.next)
    }
    const key = [...states]
      .map((state) => numbers.get(state) ?? 0)
      .toSorted((a, b) => a - b)
      .join(" ")
    const known = sets.get(key)
    if (known !== undefined) return known
    const made: StateSet = { states: [...states], accepts: states.has(end), steps: new Map() }
    sets.set(key, made)
    return made
  }

  let start = setOf([first])
  return (path) => {
    if (steps > rememberedSteps) {
      sets.clear()
      start = setOf([first])
      steps = 0
    }
    let current = start
    for (const character of path) {
      let next = current.steps.get(character)
      if (next === undefined) {
        next = setOf(current.states.flatMap((state) => (state.test?.(character) === true ? state.next : [])))
        current.steps.set(character, next)
        steps++
      }
      if (next.states.length === 0) return false
      current = next
    }
    return current.accepts
  }
}
