/** Scheme → whether it means TLS. */
const schemes: Readonly<Record<string, boolean>> = {
  'nats:': false,
  'natss:': true,
  'amqp:': false,
  'amqps:': true,
  'redis:': false,
  'rediss:': true,
}

/** The URL of a place in a broker, taken apart. */
export interface BrokerUrl {
  /** With its colon. */
  readonly protocol: string
  readonly isTls: boolean
  /** As a resolver or a socket takes it: without brackets. */
  readonly hostname: string
  readonly port: number
  /** What follows the host, decoded, without the first slash. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
}

const defaultPorts: Readonly<Record<string, number>> = {
  'nats:': 4222,
  'natss:': 4222,
  'amqp:': 5672,
  'amqps:': 5671,
  'redis:': 6379,
  'rediss:': 6379,
}

/** Whether a URL names a broker, by its scheme alone. */
export const isBrokerUrl = (text: string): boolean => /^(?:nats|amqp|redis)s?:\/\//i.test(text)

/**
 * Host and port of a URL of the web or of a broker; undefined for any other. URL parsers leave the hosts of schemes that are
 * not of the web as they are written, so these are read as one of http: numbers in odd forms become the address they mean.
 */
export const placeOf = (text: string): { readonly hostname: string; readonly port: string } | undefined => {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, port } = new URL(text)
  if (protocol === 'http:' || protocol === 'https:') return { hostname: unbracketed(hostname), port }
  const web = `http://${hostname}`
  if (schemes[protocol] === undefined || hostname === '' || !URL.canParse(web)) return undefined
  return { hostname: unbracketed(new URL(web).hostname), port }
}

const unbracketed = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

/** @returns a sentence when it cannot be read. */
export const readBrokerUrl = (text: string): BrokerUrl | string => {
  const place = placeOf(text)
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isTls = schemes[url?.protocol ?? '']
  if (place === undefined || url === undefined || isTls === undefined) return 'Expected a URL with a host.'
  const path = decoded(url.pathname.replace(/^\//, ''))
  if (path === undefined) return 'A % in the path has to begin a percent-encoded character.'
  const pairs = [...url.searchParams]
  const query = Object.fromEntries(pairs)
  if (Object.keys(query).length < pairs.length) return 'Give each parameter of the query once.'
  const { protocol } = url
  const port = place.port === '' ? (defaultPorts[protocol] ?? 0) : Number(place.port)
  return { protocol, isTls, hostname: place.hostname, port, path, query }
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
