/** Writes ONNX files by hand: a model with known weights makes every number of a test predictable. */

type Bytes = ReadonlyArray<number>

const varint = (value: number): Bytes =>
  value < 0x80 ? [value] : [(value % 0x80) | 0x80, ...varint(Math.floor(value / 0x80))]
const int = (field: number, value: number): Bytes => [...varint(field << 3), ...varint(value)]
const block = (field: number, bytes: Bytes): Bytes => [
  ...varint((field << 3) | 2),
  ...varint(bytes.length),
  ...bytes
]
const text = (field: number, value: string): Bytes => block(field, [...Buffer.from(value)])

const elementTypes = { float: 1, int64: 7 } as const
type ElementType = keyof typeof elementTypes

/** A node of the graph; attributes are integers or lists of them, as these operators need. */
export interface Node {
  readonly op: string
  readonly inputs: ReadonlyArray<string>
  readonly output: string
  readonly attributes?: Record<string, number | ReadonlyArray<number>>
}

export interface Graph {
  readonly inputs: ReadonlyArray<string>
  readonly constants: Record<
    string,
    { readonly dims: ReadonlyArray<number>; readonly values: ReadonlyArray<number> }
  >
  readonly nodes: ReadonlyArray<Node>
  readonly output: { readonly name: string; readonly rank: number }
}

const attribute = (name: string, value: number | ReadonlyArray<number>): Bytes =>
  typeof value === "number"
    ? [...text(1, name), ...int(3, value), ...int(20, 2)]
    : [...text(1, name), ...value.flatMap((item) => int(8, item)), ...int(20, 7)]

const node = ({ op, inputs, output, attributes = {} }: Node): Bytes => [
  ...inputs.flatMap((name) => text(1, name)),
  ...text(2, output),
  ...text(4, op),
  ...Object.entries(attributes).flatMap(([name, value]) => block(5, attribute(name, value)))
]

const value = (name: string, type: ElementType, rank: number): Bytes => {
  const dims = Array.from({ length: rank }, (_, axis) => block(1, text(2, `axis${axis}_${name}`))).flat()
  return [...text(1, name), ...block(2, block(1, [...int(1, elementTypes[type]), ...block(2, dims)]))]
}

/** The bytes of a model: int64 inputs of `[batch, tokens]`, float constants, operators of opset 11. */
export const onnxFile = (graph: Graph): Uint8Array => {
  const constants = Object.entries(graph.constants).flatMap(([name, { dims, values }]) => [
    ...block(5, [
      ...dims.flatMap((dim) => int(1, dim)),
      ...int(2, elementTypes.float),
      ...text(8, name),
      ...block(9, [...Buffer.from(Float32Array.from(values).buffer)])
    ])
  ])
  const body = [
    ...graph.nodes.flatMap((item) => block(1, node(item))),
    ...text(2, "graph"),
    ...constants,
    ...graph.inputs.flatMap((name) => block(11, value(name, "int64", 2))),
    ...block(12, value(graph.output.name, "float", graph.output.rank))
  ]
  return Uint8Array.from([...int(1, 7), ...block(7, body), ...block(8, [...text(1, ""), ...int(2, 11)])])
}
