import type { Problems } from '#platform/problems.ts'
import { isReservedHeader, reservedPrefixes } from '../attempt/request-headers.ts'

const maxHeaders = 20
const maxCharacters = 1_024

/** A field name, and a field value without blanks around it (RFC 9110, sections 5.1 and 5.5). */
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const fieldValue = /^(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?$/

/** Names that speak to the connection and not to the receiver; the client refuses to send them. */
const connectionNames = new Set(['keep-alive', 'upgrade', 'expect', 'te', 'trailer', 'proxy-connection'])

export interface HeaderRules {
  /** Field of the request that holds the headers. */
  readonly field: string
  readonly problems: Problems
  /** Names in lower case that are taken although every delivery sets them itself, and wins. */
  readonly tolerated?: ReadonlySet<string>
}

/** Says everything that is wrong with the custom headers of a subscriber (contract, sections 3 and 5). */
export const checkHeaders = (
  headers: Readonly<Record<string, string>>,
  { field, problems, tolerated = new Set() }: HeaderRules,
): void => {
  const names = Object.keys(headers)
  // Of far too many headers, the faults of each help nobody.
  if (names.length > maxHeaders) return problems.add(field, `Give at most ${maxHeaders} headers.`)
  const seen = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase()
    problems.add(`${field}.${name}`, tolerated.has(lower) ? undefined : nameProblem(name))
    problems.add(`${field}.${name}`, valueProblem(value))
    const before = seen.get(lower)
    if (before !== undefined)
      problems.add(`${field}.${name}`, `The same header as ${before}: case makes no difference.`)
    seen.set(lower, name)
  }
}

const nameProblem = (name: string): string | undefined => {
  if (name.length > maxCharacters) return `Use at most ${maxCharacters} characters for a name.`
  if (!fieldName.test(name)) return "Not a header name: use letters, digits and !#$%&'*+-.^_`|~."
  const prefix = reservedPrefixes.find((reserved) => name.toLowerCase().startsWith(reserved))
  if (prefix !== undefined) return `Names that begin with ${prefix} are reserved.`
  if (isReservedHeader(name)) return 'Every delivery sets this header itself; it cannot be replaced.'
  if (connectionNames.has(name.toLowerCase())) return 'This header belongs to the connection; it cannot be set.'
  return undefined
}

const valueProblem = (value: string): string | undefined => {
  if (value.length > maxCharacters) return `Use at most ${maxCharacters} characters for a value.`
  return fieldValue.test(value)
    ? undefined
    : 'Not a header value: use visible Latin-1 characters, with blanks only between them.'
}
