import { isIPv6 } from 'node:net'

/**
 * What requests from one place have in common: an IPv4 address, or the /64 of an IPv6 address, which is
 * what one customer gets (RFC 6177) and chooses freely in. IPv4 in IPv6 counts as IPv4. A text that is
 * no address counts as itself.
 */
export const networkOf = (address: string): string => {
  const [withoutZone = ''] = address.split('%', 1)
  if (!isIPv6(withoutZone)) return address
  const groups = groupsOf(withoutZone)
  const [sixth = 0, high = 0, low = 0] = groups.slice(5)
  const isMapped = sixth === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** The eight numbers of an IPv6 address. */
const groupsOf = (address: string): number[] => {
  // The URL parser writes every form in one way: hexadecimal groups, at most one `::`.
  const [start = '', end] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const numbers = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  if (end === undefined) return numbers(start)
  const [before, after] = [numbers(start), numbers(end)]
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}
