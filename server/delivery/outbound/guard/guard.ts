import { BlockList, isIP } from 'node:net'
import { placeOf } from '../broker/broker-url.ts'
import { loopback, specialUse } from './special-use.ts'

export interface GuardOptions {
  /** CIDRs open besides public addresses (ALLOWED_NETWORKS). */
  readonly allowedNetworks: readonly string[]
  /** Opens the loopback range: outside production only. */
  readonly allowLoopback: boolean
}

/** Decides which addresses requests may go to. Every request that a subscriber can steer passes here. */
export interface Guard {
  /** Why an IP address may not be reached; undefined when it may. */
  addressProblem(address: string): string | undefined
  /** Why a URL may not be reached as far as its text shows; names are checked again when they are resolved. */
  urlProblem(url: string): string | undefined
}

export const makeGuard = ({ allowedNetworks, allowLoopback }: GuardOptions): Guard => {
  const open = [...allowedNetworks, ...(allowLoopback ? loopback : [])]
  const allowed4 = blockListOf(open.filter((network) => isIpv4(network)))
  const allowed6 = blockListOf(open.filter((network) => !isIpv4(network)))
  const refused = specialUse.map(([network, why]) => ({ list: blockListOf([network]), network, why }))

  const addressProblem = (address: string): string | undefined => {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    // A zone (fe80::1%eth0) only ever belongs to a link-local address.
    if (isIP(address) === 0 || address.includes('%')) return `${address} is not an address that can be reached`
    const allowed = isIpv4(address) ? allowed4 : allowed6
    if (allowed.check(address, family)) return undefined
    // In IPv6 form first, or ::ffff:127.0.0.1 would be judged by the IPv4 lists alone.
    const hit = refused.find(
      ({ network, list }) => network.includes(':') === (family === 'ipv6') && list.check(address, family),
    )
    return hit === undefined ? undefined : `${address} is not a public address (${hit.why}, ${hit.network})`
  }

  return {
    addressProblem,
    urlProblem(text) {
      const place = placeOf(text)
      if (place === undefined) return 'Expected an http or https URL, or the URL of a broker.'
      const { hostname, port } = place
      if (!isOpenPort(port)) return `Port ${port} is not allowed: use 80, 443 or a port above 1023.`
      const problem = isIP(hostname) === 0 ? nameProblem(hostname) : addressProblem(hostname)
      return problem === undefined ? undefined : `${problem}.`
    },
  }

  function nameProblem(host: string): string | undefined {
    if (!/(^|\.)localhost\.?$/i.test(host)) return undefined
    const isOpen = loopback.some((network) => addressProblem(addressOf(network)) === undefined)
    return isOpen ? undefined : `${host} is this machine`
  }
}

const mapped = new BlockList()
mapped.addSubnet('::ffff:0:0', 96, 'ipv6')

/** Also when it is written as IPv6: it leads to the same machine, so networks of IPv6, even all of it, do not open it. */
const isIpv4 = (network: string): boolean => {
  const address = addressOf(network)
  return isIP(address) === 4 || mapped.check(address, 'ipv6')
}

/** Without the number of bits. */
const addressOf = (network: string): string => network.split('/')[0] ?? ''

const isOpenPort = (port: string): boolean => port === '' || port === '80' || port === '443' || Number(port) > 1023

const blockListOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}
