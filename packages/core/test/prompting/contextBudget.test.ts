import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { cutToFit, estimateTokens, fitByRank } from "../../src/prompting/contextBudget.ts"

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.lorem({ mode: "sentences", maxCount: 20 })
)

describe("estimateTokens", () => {
  /** The larger count of the vocabularies of llama3 and GPT-4 (cl100k). */
  const counted: ReadonlyArray<readonly [string, string, number]> = [
    ["nothing", "", 0],
    ["English", "The gateway listens on port 8080 and refuses requests without a token.", 15],
    ["code", "const answer = await retriever.search({ query, topK: 5 })", 16],
    ["JSON", '{"a":[1,2,3,{"b":"c-d_e","f":null}],"at":"2026-11-30T21:20:55Z"}', 36],
    ["a table", "| key | default | what |\n|---|---|---|\n| `a.b` | 8082 | x |\n| `c.d` | 0.25 | y |\n", 39],
    ["digits", "1234567890", 4],
    ["a hash", "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", 43],
    ["base64", "aGVsbG8gd29ybGQgdGhpcyBpcyBhIGxvbmcgYmFzZTY0IHN0cmluZyB3aXRoIHN0dWZm".repeat(3), 154],
    ["German", "Die Komponente überprüft regelmäßig die Zugriffsberechtigungen.", 21],
    ["Finnish", "Käyttöjärjestelmäkohtaisten asetusten määrittäminen edellyttää oikeuksia.", 32],
    ["Hungarian", "Megszentségteleníthetetlenségeskedéseitekért meghosszabbítottuk.", 28],
    ["Vietnamese", "Cổng giao tiếp lắng nghe trên cổng và từ chối các yêu cầu không có mã.", 32],
    ["Russian", "Шлюз прослушивает порт и отклоняет запросы без токена.", 27],
    ["Greek", "Η πύλη ακούει στη θύρα και απορρίπτει αιτήματα χωρίς διακριτικό ασφαλείας.", 69],
    ["Arabic", "تستمع البوابة على المنفذ وترفض الطلبات التي لا تحتوي على رمز مميز للوصول.", 49],
    ["Hebrew", "השער מאזין בפורט ודוחה בקשות ללא אסימון גישה תקף.", 51],
    ["Hindi", "गेटवे पोर्ट पर सुनता है और बिना टोकन वाले अनुरोधों को अस्वीकार करता है।", 70],
    ["Bengali", "গেটওয়ে পোর্টে শোনে এবং টোকেন ছাড়া অনুরোধ প্রত্যাখ্যান করে।", 77],
    ["Tamil", "நுழைவாயில் துறைமுகத்தில் கேட்கிறது மற்றும் டோக்கன் இல்லாத கோரிக்கைகளை நிராகரிக்கிறது.", 117],
    ["Thai", "เกตเวย์รับฟังที่พอร์ตและปฏิเสธคำขอที่ไม่มีโทเค็นการเข้าถึง", 56],
    ["Tibetan", "སྒོ་ཆེན་གྱིས་འགྲོ་སྒོར་ཉན་ཞིང་རྟགས་མེད་པའི་རེ་སྐུལ་ངོས་མི་ལེན།", 130],
    ["Burmese", "ဂိတ်ဝေးသည် ပို့တ်တွင် နားထောင်ပြီး တိုကင်မပါသော တောင်းဆိုမှုများကို ငြင်းပယ်သည်။", 156],
    ["Georgian", "კარიბჭე უსმენს პორტს და უარყოფს მოთხოვნებს ტოკენის გარეშე.", 108],
    ["Amharic", "በሩ በወደቡ ላይ ያዳምጣል እና ያለ ማስመሰያ ጥያቄዎችን ውድቅ ያደርጋል።", 110],
    ["Khmer", "ច្រកផ្លូវស្តាប់នៅលើច្រក ហើយបដិសេធសំណើដោយគ្មានសញ្ញាសម្ងាត់។", 92],
    ["Chinese", "网关监听端口并拒绝没有令牌的请求。会话在七天不活动后结束。", 30],
    ["Japanese", "ゲートウェイはポートで待ち受け、トークンのないリクエストを拒否します。", 33],
    ["Korean", "게이트웨이는 포트에서 수신 대기하며 토큰이 없는 요청을 거부합니다.", 34],
    ["emoji", "🚀👩‍👩‍👧‍👦🏳️‍🌈🇩🇪💡🔥", 41],
    ["signs", "∀x∈ℝ: ⌈x⌉ = −⌊−x⌋ ⇒ ≤≥≠≈ ░▒▓█ ├──┤ └─┘ →", 48],
    ["what nobody sees", "\u200b\u200d\u2060".repeat(20), 100]
  ]
  for (const [what, sample, tokens] of counted) {
    it(`is above what common vocabularies need: ${what}`, () => {
      assert.isAtLeast(estimateTokens(sample), tokens)
    })
  }
  it("leaves most of a context to English prose", () => {
    const [, prose, tokens] = counted[1] ?? ["", "", 0]
    assert.isAtMost(estimateTokens(prose), 1.75 * tokens)
  })
  it("counts dense text higher than prose of the same length", () => {
    const prose = "plain words and nothing else ".repeat(40)
    assert.isAbove(
      estimateTokens("QUJDRGVmZ2hp".repeat(100).slice(0, prose.length)),
      1.4 * estimateTokens(prose)
    )
  })
  it("never shrinks when text is added", () => {
    fc.assert(
      fc.property(text, text, (first, second) => {
        assert.isAtLeast(estimateTokens(first + second), estimateTokens(first))
      })
    )
  })
})

describe("cutToFit", () => {
  it("gives a beginning that fits, whole when the whole fits, and never half a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 0, max: 40 }), (sample, budget) => {
        const cut = cutToFit(sample, budget, estimateTokens)
        assert.isTrue(sample.startsWith(cut))
        assert.isAtMost(estimateTokens(cut), budget)
        assert.isTrue(cut.isWellFormed())
        if (estimateTokens(sample) <= budget) assert.strictEqual(cut, sample)
      })
    )
  })
  it("cuts after a sentence where there is one in the second half", () => {
    const cost = (part: string) => part.length
    assert.strictEqual(
      cutToFit("One is first. Two is second. Three is third.", 36, cost),
      "One is first. Two is second."
    )
    assert.strictEqual(cutToFit("no sentence ends in this line of words", 20, cost), "no sentence ends in")
  })
})

describe("fitByRank", () => {
  const cost = (_: string, part: string) => part.length
  const fit = (items: ReadonlyArray<string>, budget: number) => fitByRank(items, (item) => item, cost, budget)
  it("drops the lowest ranks first, never a higher one for a lower one", () => {
    assert.deepStrictEqual(fit(["aaaa", "bbbbbb", "c"], 6), {
      kept: [{ item: "aaaa", text: "aaaa", cut: false }],
      dropped: ["bbbbbb", "c"]
    })
  })
  it("cuts the first when not even that fits", () => {
    assert.deepStrictEqual(fit(["one two three", "b"], 8), {
      kept: [{ item: "one two three", text: "one two", cut: true }],
      dropped: ["b"]
    })
    assert.deepStrictEqual(fit(["abc", "b"], 0), { kept: [], dropped: ["abc", "b"] })
  })
  it("keeps everything in its order when it fits, and always stays in the budget", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1 })),
        fc.integer({ min: 0, max: 100 }),
        (items, budget) => {
          const { kept, dropped } = fit(items, budget)
          assert.deepStrictEqual([...kept.map(({ item }) => item), ...dropped], items)
          assert.isAtMost(
            kept.reduce((sum, { text: part }) => sum + part.length, 0),
            budget
          )
        }
      )
    )
  })
})
