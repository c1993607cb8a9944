import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { unsupportedSentences } from "../../src/answering/groundedness.ts"
import { passage } from "@omnirag/testkit/passages"

const passages = [
  passage(1, "The gateway listens on port 8080. Requests without a token are refused with HTTP 401."),
  passage(
    2,
    "Sessions end after 7 days; see `SESSION_IDLE_TIMEOUT_SECONDS` in config.py. Redis holds the locks."
  )
]
const question = "Where does the gateway listen, and does Nginx matter?"
const missing = (text: string, asked = question) =>
  unsupportedSentences(text, asked, passages).map((found) => found.missing)

describe("unsupportedSentences", () => {
  it("passes what the passages or the question say, in other words and forms", () => {
    assert.deepStrictEqual(
      missing("The gateway is listening on port 8080 [1]. Nginx does not matter [2]."),
      []
    )
    assert.deepStrictEqual(missing("Sessions end after 7 days [1, 2]; the locks are held by Redis [2]."), [])
  })

  it("reports a foreign number, a foreign name, a foreign identifier, each with its sentence", () => {
    assert.deepStrictEqual(
      unsupportedSentences(
        "It listens on port 9090 [1]. Locks are kept in Memcached [2]. Set `SESSION_TTL`. Redis holds them.",
        question,
        passages
      ),
      [
        { sentence: "It listens on port 9090 [1].", missing: ["9090"] },
        { sentence: "Locks are kept in Memcached [2].", missing: ["Memcached"] },
        { sentence: "Set `SESSION_TTL`.", missing: ["SESSION_TTL"] }
      ]
    )
  })

  describe("numbers and code", () => {
    const given = [
      passage(
        1,
        "The session timeout is 30s and at most 1,500 requests per minute are allowed; latency is 1.5 ms. Set `max_retries: 3` in config.yaml. Ada wrote it in 1945-46; 5 MB are free. The cache lives at /var/cache/app, see https://example.org/docs/v2. 20 clients."
      ),
      passage(2, "```sh\nkubectl apply -f deploy.yaml\n```\n| Key (h) | Value |\n|---|---|\n| TTL | 60 |")
    ]
    const found = (text: string) =>
      unsupportedSentences(text, "What is the timeout?", given).map((sentence) => sentence.missing)
    for (const text of [
      "The timeout is 30 seconds [1].",
      "The timeout is 30 s, that is 30sec.",
      "It is 30.",
      "It allows 1500 requests; 1,500 in words.",
      "The latency is 1.5ms.",
      "5MB are free.",
      "It was 1945.",
      "TTL is 60h, or 60 hours.",
      "Set `max_retries=3`.",
      "Run:\n\n```sh\nkubectl apply -f deploy.yaml\n```\n",
      "It lives at `/var/cache/app`, or /var/cache/app/; see https://example.org/docs/v2.",
      "Run `kubectl apply -f <file>` for `${TTL}`."
    ]) {
      it(`passes ${JSON.stringify(text)}`, () => assert.deepStrictEqual(found(text), []))
    }
    const foreign: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
      ["The timeout is 31s.", ["31s"]],
      ["The timeout is 30h.", ["30h"]],
      ["It has 20k clients.", ["20k"]],
      ["It allows 15000 requests.", ["15000"]],
      ["5GB are free.", ["5GB"]],
      ["Set `max_retry: 3`.", ["max_retry"]],
      ["Edit `config.yml`.", ["config.yml"]],
      ["Run `kubectl delete -f deploy.yaml --force`.", ["delete", "force"]],
      ["Run:\n\n```sh\nrm -rf /\n```", ["rm", "rf"]],
      ["The cache lives at /var/cache/apt.", ["apt"]],
      ["See https://evil.example/docs/v2.", ["evil.example"]]
    ]
    for (const [text, words] of foreign) {
      it(`reports ${JSON.stringify(text)}`, () => assert.deepStrictEqual(found(text), [words]))
    }
  })

  it("numbers of list items and of citations are no statement", () => {
    assert.deepStrictEqual(
      missing("1. The gateway listens on 8080 [12].\n2. Requests are refused [3][4]."),
      []
    )
  })

  it("reports a sentence of mostly foreign words, and lets single ones pass", () => {
    assert.deepStrictEqual(missing("The gateway elegantly refuses requests without a token."), [])
    assert.deepStrictEqual(missing("Bananas ripen slowly inside paper bags."), [
      ["Bananas", "ripen", "slowly", "inside", "paper", "bags"]
    ])
  })

  it("looks at numbers and identifiers alone when the question is in another language than the passages", () => {
    const german = "Auf welchem Anschluss lauscht das Gateway, und welche Rolle spielt dabei der Server?"
    assert.deepStrictEqual(
      missing("Das Gateway lauscht auf Anschluss 8080 und verweigert den Rest.", german),
      []
    )
    assert.deepStrictEqual(missing("Das Gateway lauscht auf Anschluss 9090.", german), [["9090"]])
  })

  it("an empty text has nothing to report", () => assert.deepStrictEqual(missing(""), []))

  it("never reports a sentence of a passage", () => {
    const words = fc.constantFrom(
      "Alpha",
      "beta",
      "Gamma7",
      "x_y",
      "3.14",
      "C++",
      "don't",
      "ÜBER",
      "数据库",
      "e.g.",
      "v1.2"
    )
    fc.assert(
      fc.property(
        fc.array(fc.array(words, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 5 }),
        (lines) => {
          const texts = lines.map((line) => `${line.join(" ")}.`)
          const given = [passage(1, texts.join("\n\n"))]
          for (const text of texts) assert.deepStrictEqual(unsupportedSentences(text, "what?", given), [])
        }
      )
    )
  })
})
