import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { BrokerLink } from '../broker/broker-link.ts'
import type { BrokerMessage, Ways } from '../broker/broker.ts'
import { readBrokerUrl, type BrokerUrl } from '../broker/broker-url.ts'
import { credentialsOf } from '../broker/credentials.ts'
import { makeConnector } from '../connector.ts'
import { AddressRefused, guardedLookup } from '../guard/guarded-lookup.ts'
import { rememberEach } from '../remember-each.ts'
import { unsent } from '../send-result.ts'
import { brokerOf } from './brokers.ts'
import type { Driver, DriverOptions, SendRequest } from './driver.ts'

/** How often budgets and idle connections are looked at, at most. */
const maxLookMs = 250
/** What a POST has for HTTP alone, or what signs in. */
const ownHeaders = new Set(['accept-encoding', 'authorization'])

/**
 * Publishes to brokers, over one connection for each host, account and space (a virtual host, a database), which carries
 * any number of messages at once. It is opened by the first message, and again by one that finds it closed.
 */
export const makeBrokerDriver = (options: DriverOptions): Driver => {
  const { guard, exchangeTimeoutMs, idleMs, maxIdle } = options
  const targetOf = rememberEach((url) => guard.urlProblem(url) ?? readBrokerUrl(url))
  const links = new Map<string, BrokerLink>()
  let aborted = false
  let timer: NodeJS.Timeout | undefined

  const look = (): void => {
    const now = performance.now()
    for (const link of links.values()) {
      link.look(now, exchangeTimeoutMs)
      if (now - link.idleSince > idleMs) link.close()
    }
    if (links.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  const linkTo = (url: BrokerUrl, authorization: string | undefined): BrokerLink | undefined => {
    const broker = brokerOf(url.protocol)
    if (broker === undefined) return undefined
    const account = authorization === undefined ? '' : createHash('sha256').update(authorization).digest('base64')
    const key = JSON.stringify([url.protocol, url.hostname, url.port, broker.spaceOf(url), account])
    const before = links.get(key)
    if (before !== undefined) return before
    if (links.size >= maxIdle) closeOldest(links)
    const made = new BrokerLink({ broker, url, ...waysTo(options, url, authorization), onEnd: () => links.delete(key) })
    links.set(key, made)
    timer ??= setInterval(look, Math.min(maxLookMs, exchangeTimeoutMs / 4, idleMs / 4)).unref()
    return made
  }
  const abort = (): void => {
    aborted = true
    for (const link of links.values()) link.abort()
  }

  return {
    abort,
    async send(request) {
      const { url, headers, mayStart } = request
      const target = targetOf(url)
      if (typeof target === 'string') return unsent('address_refused', target)
      if (aborted) return unsent('not_started', 'The server stops.')
      const link = linkTo(target, headers['authorization'])
      if (link === undefined) return unsent('address_refused', 'No broker is known for this scheme.')
      return link.send(target, messageOf(request), () => !aborted && mayStart?.() !== false)
    },
    close() {
      abort()
      for (const link of links.values()) link.close()
      clearInterval(timer)
    },
  }
}

const messageOf = ({ headers, body, eventType = '' }: SendRequest): BrokerMessage => ({
  id: headers['webhook-id'] ?? '',
  eventType,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.has(name))),
  body,
})

const closeOldest = (links: ReadonlyMap<string, BrokerLink>): void => {
  const idle = [...links.values()].filter(({ idleSince }) => idleSince !== Infinity)
  idle.toSorted((one, other) => one.idleSince - other.idleSince)[0]?.close()
}

/** How the connections to one place are opened: through the guard, with the times of every exchange. */
const waysTo = (options: DriverOptions, url: BrokerUrl, authorization: string | undefined) => {
  const { guard, resolve, dnsTimeoutMs, connectTimeoutMs, ca } = options
  let address: string | null = null
  const checked = guardedLookup(guard, { resolve, timeoutMs: dnsTimeoutMs })
  const lookup: typeof checked = (hostname, wanted, done) =>
    checked(hostname, wanted, (error, found, family) => {
      if (error === null) address = typeof found === 'string' ? found : (found[0]?.address ?? null)
      done(error, found, family)
    })
  const connector = makeConnector({ lookup, connectTimeoutMs, ca, alpn: [] })
  const dial: Ways['dial'] = ({ hostname, port, isTls }) =>
    new Promise<Socket>((done, fail) => {
      const host = hostname.includes(':') ? `[${hostname}]` : hostname
      // Not only what the URL names: servers of a cluster name each other.
      const problem = guard.urlProblem(`${isTls ? 'https' : 'http'}://${host}:${port}/`)
      if (problem !== undefined) return fail(new AddressRefused(problem.replace(/\.$/, '')))
      const to = { hostname, port: String(port), protocol: isTls ? 'https:' : 'http:' }
      const { opening } = connector(to, (error, socket) => {
        address = opening.address
        if (socket === null) fail(error ?? new Error('The connection was given up.'))
        else done(socket)
      })
    })
  const credentials = credentialsOf(authorization)
  const password = credentials?.password ?? ''
  return {
    ways: { credentials, clientName: 'waybill', dial, lookup, connectTimeoutMs, ca },
    addressOf: () => address ?? (/^[\d.]+$|:/.test(url.hostname) ? url.hostname : null),
    hide: (text: string) => (password === '' ? text : text.replaceAll(password, '********')),
  }
}
