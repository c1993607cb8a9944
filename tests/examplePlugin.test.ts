import { loaderConformance } from "@omnirag/core/testing"
import { afterAll, assert, describe, it } from "vitest"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { subtitles } from "../docs/examples/subtitles.ts"
import { OmniragProcess } from "@omnirag/testkit/OmniragProcess"

const talk = `1
00:00:01,000 --> 00:00:03,500
<i>Whales</i> sing at
twenty hertz.

2
00:00:04,000 --> 00:00:06,000
Ships are as loud.

3
00:01:10,000 --> 00:01:12,000
Thank you for listening.
`
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

loaderConformance({
  name: "the example `subtitles`",
  layer: subtitles.build({}),
  samples: [
    {
      path: "talks/whales.srt",
      bytes: bytes(talk),
      title: "whales",
      contains: ["Whales sing at twenty hertz. Ships are as loud.\n\nThank you for listening."]
    },
    {
      path: "birds.vtt",
      bytes: bytes("WEBVTT\n\n00:01.000 --> 00:02.000 align:start\nBirds sing higher.\n"),
      title: "birds",
      contains: ["Birds sing higher."]
    }
  ],
  refuses: [
    { bytes: bytes("Just some text.\n"), reason: "it has no captions" },
    { bytes: Uint8Array.of(0xff, 0xfe, 0xfd), reason: "it is not UTF-8" }
  ]
})

describe("the example plugin in a real configuration", () => {
  const folder = mkdtempSync(join(tmpdir(), "omnirag-plugin-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, "corpus"))
  writeFileSync(join(folder, "corpus/whales.srt"), talk)
  const configWith = (options: string): string => {
    const file = join(folder, "omnirag.yaml")
    writeFileSync(
      file,
      `data: ${join(folder, "data")}
plugins: [${resolve("docs/examples/subtitles.ts")}]
sources: [{ use: folder, options: { name: talks, path: ${join(folder, "corpus")}, include: ["**/*.srt"] } }]
loaders: [{ use: markdown }, { use: subtitles, options: ${options} }]
`
    )
    return file
  }

  it("indexes and finds what it loads", async () => {
    const config = configWith("{ pauseSeconds: 5 }")
    const index = new OmniragProcess(["index", "--config", config])
    assert.deepInclude(await index.ended, { code: 0 }, index.stderr)
    const search = new OmniragProcess([
      "search",
      "how loud are ships",
      "-k",
      "1",
      "--json",
      "--config",
      config
    ])
    assert.deepInclude(await search.ended, { code: 0 }, search.stderr)
    const [hit] = (JSON.parse(search.stdout) as { hits: Array<Record<string, unknown>> }).hits
    assert.deepInclude(hit, { path: "whales.srt", title: "whales", metadata: { seconds: 72 } })
  })

  it("has its options checked with their path", async () => {
    const status = new OmniragProcess(["status", "--config", configWith("{ pauseSeconds: soon, pausee: 1 }")])
    assert.deepInclude(await status.ended, { code: 1 })
    assert.deepStrictEqual(
      status.stderr
        .trim()
        .split("\n")
        .map((line) => line.trim().split(": ")[0]),
      ["error CONFIG_INVALID", "loaders[1].options.pausee", "loaders[1].options.pauseSeconds"]
    )
  })

  it("is what docs/plugins.md shows", () => {
    const guide = readFileSync("docs/plugins.md", "utf8")
    assert.include(guide, `\`\`\`ts\n${readFileSync("docs/examples/subtitles.ts", "utf8")}\`\`\``)
  })
})
