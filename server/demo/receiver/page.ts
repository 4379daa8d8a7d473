import { escapeHtml } from '#platform/html.ts'
import { paths } from './answers.ts'
import type { Verdict } from './verify.ts'

/** A request as the receiver keeps it. */
export interface KeptRequest {
  readonly at: Date
  readonly method: string
  readonly path: string
  readonly event: string
  readonly verdict: Verdict
  /** Null while it is not answered, and when the sender did not wait for it. */
  readonly status: number | null
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

const style = `
  body { font: 13px/20px system-ui, sans-serif; margin: 24px; color-scheme: light dark }
  table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: 6px 12px 6px 0; vertical-align: top; border-bottom: 1px solid #8884 }
  code, pre { font: 12px/18px ui-monospace, monospace } pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 4px 0 }`

/** The page of the receiver: what it got, the newest first. It loads itself again every few seconds while nothing on it is open. */
export const pageOf = (requests: readonly KeptRequest[], total: number): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Receiver of the demo</title>
<style>${style}</style>
<h1>${total === 0 ? 'Nothing has arrived yet' : `${total.toLocaleString('en')} requests have arrived`}</h1>
<p>${paths.map(([path, what]) => `<code>${path}</code> ${what}`).join(' · ')} · <a href="/requests">the last 200 as JSON</a></p>
<table><thead><tr><th>At<th>Path<th>Event<th>Signature<th>Answer<th>Request</thead><tbody>
${requests.map(rowOf).join('\n')}
</tbody></table>
<script>setInterval(() => { if (document.querySelector('details[open]') === null) location.reload() }, 3000)</script>
</html>
`

const rowOf = ({ at, method, path, event, verdict, status, headers, body }: KeptRequest): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)
  const request = escapeHtml(`${lines.join('\n')}\n\n${body}`)
  return `<tr><td>${at.toISOString().slice(11, 19)}<td><code>${escapeHtml(`${method} ${path}`)}</code><td>${escapeHtml(event)}<td>${verdict}<td>${
    status ?? 'none'
  }<td><details><summary>${body.length.toLocaleString('en')} characters</summary><pre>${request}</pre></details>`
}
