import type { Problems } from '#platform/problems.ts'
import { isCredentialHeader, mask } from '../subscriber/mask.ts'

type Headers = Readonly<Record<string, string>> | null

/** Custom headers that a change of a subscriber asks for. */
export interface HeaderChange {
  /** Field of the request that holds the headers. */
  readonly field: string
  readonly problems: Problems
  /** Whether deliveries will go to another scheme, host or port. */
  readonly moves: boolean
  /** Whether the request names the headers; else `wanted` is what is stored. */
  readonly isNamed: boolean
  readonly wanted: Headers
  readonly stored: Headers
}

/**
 * Puts the stored values where a request has the mask. Headers that carry credentials are kept only for the
 * same scheme, host and port: whoever may change a subscriber could otherwise have what they cannot read sent
 * to themselves. What has to be sent again is added to the problems.
 */
export const keepHeaders = (change: HeaderChange): Headers =>
  change.isNamed ? namedHeaders(change) : unnamedHeaders(change)

const unnamedHeaders = ({ wanted, moves, field, problems }: HeaderChange): Headers => {
  const credentials = Object.keys(wanted ?? {}).filter(isCredentialHeader)
  if (moves && credentials.length > 0)
    problems.add(field, `Send ${credentials.join(', ')} again because the address changes.`)
  return wanted
}

const namedHeaders = ({ wanted, stored, moves, field, problems }: HeaderChange): Headers => {
  if (wanted === null) return null
  const before = new Map(Object.entries(stored ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
  const kept = Object.entries(wanted).map(([name, value]) => {
    if (value !== mask) return [name, value] as const
    const old = before.get(name.toLowerCase())
    if (old === undefined)
      problems.add(`${field}.${name}`, 'This is the mask, and no value is stored that it could keep; send the value.')
    else if (moves) problems.add(`${field}.${name}`, 'Send the value again because the address changes.')
    return [name, old ?? value] as const
  })
  return Object.fromEntries(kept)
}
