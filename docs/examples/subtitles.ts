import {
  bundleOf,
  definePlugin,
  type Document,
  DocumentLoader,
  DocumentRefused,
  documentId,
  type LoadRequest
} from "@omnirag/core/plugin"
import { Effect, Layer, Schema } from "effect"
import { createHash } from "node:crypto"

const extensions: Readonly<Record<string, string>> = {
  ".srt": "application/x-subrip",
  ".vtt": "text/vtt"
}

const Options = Schema.Struct({
  pauseSeconds: Schema.Finite.pipe(
    Schema.check(Schema.isBetween({ minimum: 0, maximum: 3600 })),
    Schema.withDecodingDefaultKey(Effect.succeed(2))
  ).annotate({ description: "A silence at least this long begins a new paragraph" })
})

const cue = /^(?:(\d+):)?(\d\d):(\d\d)[.,](\d{3}) --> (?:(\d+):)?(\d\d):(\d\d)[.,](\d{3})/

const seconds = (parts: ReadonlyArray<string | undefined>): number => {
  const [hours = "0", minutes = "0", seconds = "0", milliseconds = "0"] = parts
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(milliseconds) / 1000
}

interface Caption {
  readonly start: number
  readonly end: number
  readonly text: string
}

const captionsOf = (text: string): ReadonlyArray<Caption> =>
  text.split(/(?:\r?\n){2,}/).flatMap((block) => {
    const lines = block.split(/\r?\n/)
    const at = lines.findIndex((line) => cue.test(line))
    const match = cue.exec(lines[at] ?? "")
    if (match === null) return []
    const said = lines.slice(at + 1).map((line) => line.replace(/<[^<>]*>/g, "").trim())
    const [, ...parts] = match
    return [{ start: seconds(parts.slice(0, 4)), end: seconds(parts.slice(4)), text: said.join(" ").trim() }]
  })

const load = Effect.fn("subtitles.load")(function* (request: LoadRequest, pauseSeconds: number) {
  const { source, path, bytes } = request
  const refuse = (reason: string) => new DocumentRefused({ path, reason })
  const decoded = yield* Effect.try({
    try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes),
    catch: () => refuse("it is not UTF-8")
  })
  if (decoded.includes("\0")) return yield* refuse("it holds NUL, as binary files do")

  const captions = captionsOf(decoded).filter(({ text }) => text !== "")
  if (captions.length === 0) return yield* refuse("it has no captions")
  let text = ""
  let end = 0
  for (const caption of captions) {
    if (text !== "") text += caption.start - end >= pauseSeconds ? "\n\n" : " "
    text += caption.text
    end = caption.end
  }
  const name = path.slice(path.lastIndexOf("/") + 1)
  const dot = name.lastIndexOf(".")
  const document: Document = {
    id: documentId(source, path),
    source,
    path,
    bundle: bundleOf(path),
    mediaType: request.mediaType ?? extensions[name.slice(dot).toLowerCase()] ?? "text/vtt",
    title: dot > 0 ? name.slice(0, dot) : name,
    text,
    contentHash: createHash("sha256").update(bytes).digest("hex"),
    metadata: { seconds: Math.round(end) },
    pages: []
  }
  return document
})

/** The loader plugin `subtitles`: what is said in SubRip and WebVTT files, paragraphs where there is a pause. */
export const subtitles = definePlugin({
  kind: "loader",
  name: "subtitles",
  description: "Subtitles (.srt, .vtt): what is said, a paragraph where there is a pause",
  options: Options,
  layer: ({ pauseSeconds }) =>
    Layer.succeed(DocumentLoader, {
      name: "subtitles",
      extensions,
      load: (request) => load(request, pauseSeconds)
    })
})
