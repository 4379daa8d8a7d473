import type { Schema } from '#api/types.ts'

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** What the receiver gets, as curl; signatures are not kept, so they are left out. */
export const deliveryAsCurl = ({ webhook, attempts, request_payload: body }: Schema<'HookEventDetail'>): string => {
  const headers = Object.entries(attempts.at(-1)?.request_headers ?? { 'content-type': 'application/json' })
  return [
    `curl -sS -X POST ${quoted(webhook.target_url ?? '')}`,
    ...headers
      .filter(([, value]) => value !== '********')
      .map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    `  --data-binary ${quoted(JSON.stringify(body))}`,
  ].join(' \\\n')
}
