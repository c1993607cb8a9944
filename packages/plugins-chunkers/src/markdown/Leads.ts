import type { Block } from "./Block.ts"
import { breadcrumb } from "./breadcrumb.ts"
import type { LineStarts } from "./lines.ts"
import type { MarkdownOptions } from "./options.ts"
import { overlapStart } from "./overlap.ts"
import type { Heading } from "./sections.ts"

/** What a packer needs from the document. */
export interface Source {
  readonly text: string
  readonly starts: LineStarts
}

/**
 * Makes the text before the pieces of one section. A breadcrumb takes at most a quarter of the limit; together with the
 * frame and the overlap it takes at most half, so that the piece's own text gets the other half.
 */
export class Leads {
  private readonly source: Source
  private readonly path: ReadonlyArray<Heading>
  private readonly options: MarkdownOptions
  private readonly half: number
  private readonly fullCrumb: string
  /** The most units a frame may take. */
  readonly frameCap: number

  constructor(source: Source, path: ReadonlyArray<Heading>, options: MarkdownOptions) {
    this.source = source
    this.path = path
    this.options = options
    this.half = Math.floor(options.maxLength / 2)
    this.fullCrumb = this.crumbOf(path)
    this.frameCap = this.half - this.fullCrumb.length
  }

  private crumbOf(path: ReadonlyArray<Heading>): string {
    return breadcrumb(
      path.map((heading) => heading.text),
      Math.floor(this.options.maxLength / 4)
    )
  }

  /** The breadcrumb of a piece: the headings of the path that begin before it. */
  crumbAt(start: number): string {
    const last = this.path.at(-1)
    return last === undefined || last.start < start
      ? this.fullCrumb
      : this.crumbOf(this.path.filter((heading) => heading.start < start))
  }

  /** What has to be added after a block to close it. */
  tailOf(block: Block): string {
    return block.unterminated ? block.frame(this.frameCap).reclose : ""
  }

  /** The length of a piece that consists of a block. */
  lengthAlone(block: Block): number {
    const lead = this.crumbAt(block.start).length + block.lead.length
    return lead + block.end - block.start + this.tailOf(block).length
  }

  /** The lead of a piece that begins with a block; an overlap may reach back to `floor`; null means no overlap. */
  of(block: Block, floor: number | null): string {
    const lead = this.crumbAt(block.start) + block.lead
    if (this.options.overlap === 0 || floor === null) return lead
    const alone = this.lengthAlone(block)
    const room =
      alone <= this.options.maxLength
        ? this.options.maxLength - alone
        : this.half - lead.length - block.frame(this.frameCap).reclose.length
    const reach = Math.min(room, this.options.overlap)
    if (reach <= 0) return lead
    const { starts, text } = this.source
    return (
      lead + text.slice(overlapStart(text, starts, floor, block.start, reach, block.lead !== ""), block.start)
    )
  }
}
