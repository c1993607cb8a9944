import type { Passage } from "@omnirag/core/app"

/** A passage with the given text, as retrieval would give it. */
export const passage = (
  number: number,
  text: string,
  headingPath: ReadonlyArray<string> = ["Guide"]
): Passage => ({
  number,
  hit: {
    chunk: {
      id: `chunk${number}`,
      documentId: `docs/guide${number}.md`,
      index: 0,
      text,
      bodyOffset: 0,
      start: 0,
      end: text.length,
      startLine: 1,
      endLine: 1,
      headingPath: [...headingPath],
      page: null,
      intent: null,
      confidence: 1
    },
    repo: "docs",
    bundle: null,
    path: `guide${number}.md`,
    title: "Guide",
    metadata: {},
    score: 1 / number,
    scores: { vector: null, lexical: 1, fused: null, rerank: null },
    alsoIn: [],
    alsoInCount: 0
  }
})
