import { lookup as systemLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { Guard } from './guard.ts'

/** Resolves a name to all of its addresses. */
export type Resolve = (hostname: string, done: (error: Error | null, addresses: LookupAddress[]) => void) => void

const resolveWithSystem: Resolve = (hostname, done) => systemLookup(hostname, { all: true }, done)

export interface LookupOptions {
  /** How names are resolved; by the system when nothing is said. */
  readonly resolve?: Resolve | undefined
  /** Time a look-up may take; 5 s (contract, section 5). */
  readonly timeoutMs?: number | undefined
}

/** An address that must not be reached; kept apart from network errors, because waiting does not mend it. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
  readonly code = 'ADDRESS_REFUSED'
}

/** A name that exists but has no address. */
class NoAddress extends Error {
  override readonly name = 'NoAddress'
  readonly code = 'DNS_NO_ADDRESS'
}

class DnsTimeout extends Error {
  override readonly name = 'DnsTimeout'
  readonly code = 'DNS_TIMEOUT'
}

/**
 * The look-up that sockets are opened with: refuses the name when **any** of its addresses is not
 * allowed, and the socket connects to the very addresses that were checked, so a name that changes
 * its answer between check and use gains nothing.
 */
export const guardedLookup =
  (guard: Guard, { resolve = resolveWithSystem, timeoutMs = 5_000 }: LookupOptions = {}): LookupFunction =>
  (hostname, options, callback) => {
    let answered = false
    const answer = (error: Error | null, addresses: LookupAddress[] = []): void => {
      if (answered) return
      answered = true
      clearTimeout(timer)
      if (error !== null) return callback(error, [])
      const [first] = addresses
      if (first === undefined) return callback(new NoAddress(`${hostname} has no address`), [])
      if (options.all === true) return callback(null, addresses)
      callback(null, first.address, first.family)
    }
    const timer = setTimeout(
      () => answer(new DnsTimeout(`${hostname} was not resolved in ${timeoutMs / 1_000} s`)),
      timeoutMs,
    )
    resolve(hostname, (error, addresses) => {
      if (error !== null) return answer(error)
      const isRefused = addresses.some(({ address }) => guard.addressProblem(address) !== undefined)
      // Subscribers read this: what an internal name resolves to is not for them.
      const refusal = new AddressRefused(`${hostname} does not resolve to a public address`)
      answer(isRefused ? refusal : null, addresses)
    })
  }
