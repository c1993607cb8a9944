const sample = `subscription {
  ask(question: "What is this about?") {
    __typename
    ... on Sources { sources { path score } }
    ... on Token { text }
    ... on CitationEvent { citation { passage path startLine quote } }
    ... on Done { answer { text evaluation { verdict } } }
    ... on Failed { code message }
  }
}`

/**
 * A self-contained page to try queries on: no scripts, styles or fonts from other servers. Subscriptions run over SSE.
 * `nonce` is the one that the content security policy of the response allows.
 */
export const playgroundPage = (nonce: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>OmniRAG GraphQL</title>
<meta name="viewport" content="width=device-width">
<style nonce="${nonce}">
  body { margin: 0; font: 14px/1.5 system-ui, sans-serif; display: grid; grid: auto 1fr / 1fr 1fr; height: 100vh; gap: 8px }
  header { grid-column: 1 / 3; padding: 8px 12px; display: flex; gap: 12px; align-items: center; border-bottom: 1px solid #ccc }
  section { display: flex; flex-direction: column; padding: 0 12px 12px; gap: 8px; min-height: 0 }
  textarea, pre { font: 13px/1.5 ui-monospace, monospace; border: 1px solid #ccc; border-radius: 4px; padding: 8px; margin: 0; flex: 1; overflow: auto; resize: none; white-space: pre-wrap }
  #variables { flex: 0 0 5em }
</style>
<header>
  <strong>OmniRAG</strong>
  <button id="run">Run (Ctrl+Enter)</button>
  <button id="stop" disabled>Stop</button>
  <a href="?graphiql">GraphiQL (loads from unpkg.com)</a>
</header>
<section>
  <label for="query">Query</label>
  <textarea id="query" spellcheck="false">${sample}</textarea>
  <label for="variables">Variables (JSON)</label>
  <textarea id="variables" spellcheck="false">{}</textarea>
</section>
<section><span>Result</span><pre id="result" aria-live="polite"></pre></section>
<script nonce="${nonce}">
  const [query, variables, result, run, stop] = ["query", "variables", "result", "run", "stop"].map((id) => document.getElementById(id))
  let controller
  const show = (text) => { result.textContent += JSON.stringify(JSON.parse(text), null, 2) + "\\n" }
  const start = async () => {
    controller?.abort()
    const current = controller = new AbortController()
    result.textContent = ""
    stop.disabled = false
    try {
      const response = await fetch(location.pathname, {
        method: "POST",
        signal: current.signal,
        headers: { "content-type": "application/json", accept: "text/event-stream, application/json;q=0.9" },
        body: JSON.stringify({ query: query.value, variables: JSON.parse(variables.value || "{}") })
      })
      if (!response.headers.get("content-type")?.includes("event-stream")) return show(await response.text())
      let rest = ""
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        const events = (rest + part.value).split("\\n\\n")
        rest = events.pop()
        for (const event of events) {
          const data = event.split("\\n").find((line) => line.startsWith("data: "))
          if (data) show(data.slice(6))
        }
      }
    } catch (error) {
      if (error.name !== "AbortError") result.textContent += String(error)
    } finally {
      if (controller === current) stop.disabled = true
    }
  }
  run.onclick = start
  stop.onclick = () => controller?.abort()
  document.onkeydown = (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) start() }
</script>
</html>
`
