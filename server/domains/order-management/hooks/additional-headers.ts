import { isReservedHeader } from '#delivery/attempt/request-headers.ts'
import type { Problems } from './problems.ts'

const most = 20
const longest = 1_024

/** A field name, and a field value without blanks around it (RFC 9110, sections 5.1 and 5.5). */
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const fieldValue = /^(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/

/** Names that speak to the connection and not to the receiver; the client refuses to send them. */
const connectionNames = new Set(['keep-alive', 'upgrade', 'expect', 'te', 'trailer', 'proxy-connection'])

/** Says everything that is wrong with `additional_headers` (contract, sections 3 and 5). */
export const checkHeaders = (headers: Readonly<Record<string, string>>, problems: Problems): void => {
  const names = Object.keys(headers)
  if (names.length > most) problems.add('additional_headers', `Give at most ${most} headers.`)
  const seen = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    const field = `additional_headers.${name}`
    problems.add(field, nameProblem(name) ?? valueProblem(value))
    const before = seen.get(name.toLowerCase())
    if (before !== undefined) problems.add(field, `The same header as ${before}: case makes no difference.`)
    seen.set(name.toLowerCase(), name)
  }
}

const nameProblem = (name: string): string | undefined => {
  if (name.length > longest) return `Use at most ${longest} characters for a name.`
  if (!fieldName.test(name)) return "Not a header name: use letters, digits and !#$%&'*+-.^_`|~."
  if (isReservedHeader(name)) return 'Every delivery sets this header itself; a hook cannot replace it.'
  if (connectionNames.has(name.toLowerCase())) return 'This header belongs to the connection; a hook cannot set it.'
  return undefined
}

const valueProblem = (value: string): string | undefined => {
  if (value.length > longest) return `Use at most ${longest} characters for a value.`
  return fieldValue.test(value)
    ? undefined
    : 'Not a header value: use visible Latin-1 characters, with blanks only between them.'
}
