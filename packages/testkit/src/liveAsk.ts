/** Subscribes to a live answer, with every event it can have. */
export const liveAsk = `subscription ($question: String!) {
  ask(question: $question) {
    __typename
    ... on Sources { sources { path } }
    ... on Token { text }
    ... on CitationEvent { citation { passage path quote } }
    ... on Done { answer { text citations { passage path quote } } }
    ... on Failed { code message }
  }
}`
