import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { decodeText } from "../src/loaders/decodeText.ts"

const utf8 = (text: string) => new TextEncoder().encode(text)
const bytes = (...values: ReadonlyArray<number>) => Uint8Array.from(values)
const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"))

const utf16 = (text: string, littleEndian: boolean, mark: boolean): Uint8Array => {
  const marked = mark ? `\uFEFF${text}` : text
  const view = new DataView(new ArrayBuffer(marked.length * 2))
  for (let index = 0; index < marked.length; index++)
    view.setUint16(index * 2, marked.charCodeAt(index), littleEndian)
  return new Uint8Array(view.buffer)
}

const text = (input: Uint8Array) => {
  const decoded = decodeText(input)
  assert(decoded._tag === "Text", decoded._tag === "Refused" ? decoded.reason : "")
  return [decoded.text, decoded.encoding]
}

const reason = (input: Uint8Array) => {
  const decoded = decodeText(input)
  assert(decoded._tag === "Refused", "it was decoded")
  return decoded.reason
}

describe("UTF-8", () => {
  it("keeps every character and line end; the mark goes", () => {
    const sample = "# Ünïcode 🧬\r\nline\rline\nzero\u200bwidth \uFFFD 漢字\n"
    assert.deepStrictEqual(text(utf8(sample)), [sample, "utf-8"])
    assert.deepStrictEqual(text(utf8(`\uFEFF${sample}`)), [sample, "utf-8"])
    assert.deepStrictEqual(text(utf8("\uFEFF\uFEFFx")), ["\uFEFFx", "utf-8"])
    assert.deepStrictEqual(text(bytes()), ["", "utf-8"])
  })

  it("with a damaged character keeps the sound ones", () => {
    const damaged = Uint8Array.from([
      ...utf8("日本語の文章 marker "),
      0xe6,
      0x97,
      ...utf8(` ${"x".repeat(200)}`)
    ])
    assert.deepStrictEqual(text(damaged), [
      `日本語の文章 marker \uFFFD ${"x".repeat(200)}`,
      "utf-8 (damaged)"
    ])
  })

  it("any text without control characters comes back as it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (sample) => {
        fc.pre(!/[\p{Cc}\uFEFF]/u.test(sample))
        assert.deepStrictEqual(text(utf8(sample)), [sample, "utf-8"])
      })
    )
  })
})

describe("UTF-16", () => {
  const samples = {
    English: "# Title\r\n\r\nThe marker word is zebra.\n",
    Greek: "Η γρήγορη αλεπού πηδά πάνω\nαπό το τεμπέλικο σκυλί\n",
    Chinese: "快速的狐狸 跳过\n懒惰的狗 标记\n",
    emoji: "a 🧬 b 🧪 c\n"
  }
  for (const [script, sample] of Object.entries(samples)) {
    for (const little of [true, false]) {
      const encoding = little ? "utf-16le" : "utf-16be"
      it(`${encoding} ${script}, with a mark and without`, () => {
        assert.deepStrictEqual(text(utf16(sample, little, true)), [sample, encoding])
        assert.deepStrictEqual(text(utf16(sample, little, false)), [sample, encoding])
      })
    }
  }

  it("is not seen in UTF-8 text with a NUL, nor in binary with NULs on one side", () => {
    assert.strictEqual(reason(utf8("hello wor\0ld!")), "it is binary (a NUL byte at offset 9)")
    const counters = new Uint8Array(new Uint16Array(500).map((_, index) => index % 16).buffer)
    assert.strictEqual(reason(counters), "it is binary (a NUL byte at offset 0)")
  })

  it("a mark alone does not make text", () => {
    assert.strictEqual(
      reason(bytes(0xff, 0xfe, 0, 0xd8, 0, 0xd8, 0, 0xd8)),
      "it starts like UTF-16LE, but the rest is not"
    )
    assert.strictEqual(reason(bytes(0xff, 0xfe, 0, 0, 65, 0, 0, 0)), "it is UTF-32; convert it to UTF-8")
    assert.strictEqual(reason(bytes(0, 0, 0xfe, 0xff, 0, 0, 0, 65)), "it is UTF-32; convert it to UTF-8")
  })
})

describe("Windows-1252 and Latin-1", () => {
  it("are recognised in prose", () => {
    const french = "Le café est fermé : voilà l'été, où êtes-vous ?\n"
    assert.deepStrictEqual(text(latin1(french)), [french, "windows-1252"])
    assert.deepStrictEqual(text(bytes(0x80, 0x20, 0x93, ...utf8("a quoted word or two"), 0x94)), [
      "€ “a quoted word or two”",
      "windows-1252"
    ])
  })

  it("are not made of text in other encodings, which would become noise", () => {
    const unknown =
      "its encoding is not UTF-8, UTF-16 or Windows-1252; convert it to UTF-8 (iconv -f <encoding> -t UTF-8)"
    // "Привет, мир" in windows-1251, "こんにちは" in Shift JIS
    assert.strictEqual(
      reason(bytes(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x2c, 0x20, 0xec, 0xe8, 0xf0)),
      unknown
    )
    assert.strictEqual(reason(bytes(0x82, 0xb1, 0x82, 0xf1, 0x82, 0xc9, 0x82, 0xbf, 0x82, 0xcd)), unknown)
    // 0x81 is undefined in Windows-1252
    assert.strictEqual(reason(bytes(...utf8("plain text and one "), 0x81, ...utf8(" byte"))), unknown)
  })
})

describe("binary", () => {
  it("is refused with what gave it away", () => {
    assert.strictEqual(reason(utf8("marker text\0and more")), "it is binary (a NUL byte at offset 11)")
    assert.strictEqual(
      reason(bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d)),
      "it is binary (a NUL byte at offset 8)"
    )
    assert.strictEqual(reason(bytes(1, 2, 3, 4, 65)), "it is binary (4 control characters in 5 bytes)")
  })

  it("but coloured logs and form feeds are text", () => {
    const log = "\u001b[31merror\u001b[0m\f next page\b\n"
    assert.deepStrictEqual(text(utf8(log)), [log, "utf-8"])
  })

  it("any bytes give text without mark, NUL and lone surrogates, or a reason", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (input) => {
        const decoded = decodeText(input)
        if (decoded._tag === "Refused") assert.notStrictEqual(decoded.reason, "")
        else assert.isTrue(decoded.text.isWellFormed() && !decoded.text.includes("\0"))
      }),
      { numRuns: 2_000 }
    )
  })
})
