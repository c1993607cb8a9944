import { describe } from "@effect/vitest"
import { vectorStoreFilterTests } from "./vectorStoreFilterTests.ts"
import { type VectorStoreConformance, vectorStoreHarness } from "./vectorStoreHarness.ts"
import { vectorStoreIdTests } from "./vectorStoreIdTests.ts"
import { vectorStoreLifeTests } from "./vectorStoreLifeTests.ts"
import { vectorStoreScoreTests } from "./vectorStoreScoreTests.ts"
import { vectorStoreWriteTests } from "./vectorStoreWriteTests.ts"

/**
 * The contract of `VectorStoreProvider` as tests. In the test file of a plugin:
 *
 * ```ts
 * vectorStoreConformance("my store", { layer: myStore.build({ url }), persistent: true })
 * ```
 *
 * The suite brings what a store may need (`DataFolder`, `HealthChecks`) and goes by what the store declares:
 *
 * | part | when | what is tested |
 * |---|---|---|
 * | scores and order | always | cosines −1 … 1, order by score then id, zero vectors, a k above the count |
 * | filters | by `filters` | each declared operator × type of value × nesting; the undeclared is refused; core's plan finds the same rows |
 * | limited to ids | always | only these rows, with a filter too, `maxIds` and no more |
 * | listing | by `listing` | every id once by pages of any size; ascending when `sorted`; refused as `unsupported` when `none` |
 * | replace and delete | always | new vector and new fields only; by id, by filter |
 * | refusals | always | bad batches as a whole, bad queries, bad names |
 * | counting | by `counting` | the number when `exact`, a whole number when `estimate` |
 * | search | by `search` | ties at the k-th place and every true hit when `exact`, a share of them (`recall`) when `approximate` |
 * | consistency | by `consistency` | `eventual`: looks again until what was written is visible |
 * | life | always | closing, dropping, room, interruption, parallel calls |
 * | persistence | `persistent` | what was flushed is there after opening again |
 */
export const vectorStoreConformance = <E>(name: string, options: VectorStoreConformance<E>): void => {
  const suite = options.skip === undefined ? describe : describe.skip
  suite(`${name}: vector store conformance${options.skip === undefined ? "" : ` (${options.skip})`}`, () => {
    const harness = vectorStoreHarness(options)
    vectorStoreScoreTests(options, harness)
    vectorStoreFilterTests(harness)
    vectorStoreIdTests(harness)
    vectorStoreWriteTests(harness)
    vectorStoreLifeTests(options, harness)
  })
}
