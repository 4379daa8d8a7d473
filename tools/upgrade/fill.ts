import { makeWorld } from '../api/make-world.ts'

// What an installation has before it is upgraded, made through the API.

export const administrator = { username: 'admin@example.com', password: 'correct horse battery' }
export const hookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
/** Nothing listens there. */
export const deadEnd = 'http://127.0.0.1:1025/'

/** Lists whose records an upgrade may extend, but not change. */
export const keptLists = [
  '/api/v1/stock_locations/',
  '/api/v1/packages/',
  '/api/v1/shipments/',
  '/api/v1/transfers/',
  '/api/v1/divisions/',
  '/api/v1/products/',
  '/api/v1/event_types/',
  '/api/v1/organizations/',
] as const
/** Lists whose records go on living: the same ones have to be there. */
export const livingLists = [
  '/whisperer/hooks/',
  '/whisperer/hook_events/',
  '/api/v1/quotations/',
  '/api/v1/orders/',
  '/api/v1/users/',
  '/api/v1/error_reports/',
  '/api/nifi/flows/',
] as const

export interface Recorded {
  /** Version and commit of the code that made it. */
  readonly madeBy: string
  readonly secretKey: string
  readonly apiKey: string
  /** A hook whose deliveries fail until it is sent elsewhere, and one of its deliveries. */
  readonly hook: number
  readonly delivery: number
  readonly lists: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>
}

export type Ask = (method: string, path: string, body?: unknown) => Promise<unknown>

/** Asks a server as its administrator. @throws for any other answer than 2xx. */
export const askAs =
  (origin: string, authorization: string): Ask =>
  async (method, path, body) => {
    const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const answer = await fetch(origin + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  }

/** The token of a login. */
export const logIn = async (origin: string): Promise<string> => {
  const { key } = (await askAs(origin, '')('POST', '/api/v1/auth/login/', administrator)) as { key: string }
  return key
}

/** Every record of a list that fits one page. */
export const readList = async (ask: Ask, path: string): Promise<Recorded['lists'][string]> => {
  const answer = (await ask('GET', `${path}?limit=1000`)) as
    | Recorded['lists'][string]
    | { results: Recorded['lists'][string] }
  return 'results' in answer ? answer.results : answer
}

/** Fills a new server. @returns what will be asked for after the upgrade. */
export const fill = async (origin: string): Promise<Omit<Recorded, 'madeBy' | 'secretKey'>> => {
  const token = await logIn(origin)
  const ask = askAs(origin, `Token ${token}`)
  const type = {
    name: 'crm.customer.updated',
    description: 'A customer changes.',
    schema: { type: 'object', required: ['id'] },
    example: { id: 7 },
  }
  await ask('POST', '/api/v1/event_types/', type)
  const subscription = {
    event_type: ['crm.*', 'package.created'],
    target_url: deadEnd,
    secret_key: hookSecret,
    retry_countdown_config: { choice: 'linear', kwargs: { base: 3600 } },
  }
  const { id: hook } = (await ask('POST', '/whisperer/hooks/', subscription)) as { id: number }
  await makeWorld(origin, token)
  await ask('POST', '/api/v1/events/', { id: 'before', type: 'crm.customer.updated', data: { id: 7, name: 'Ayşe' } })
  const { key: apiKey } = (await ask('POST', '/api/v1/auth/api-keys/', { name: 'before' })) as { key: string }
  const lists: Record<string, Recorded['lists'][string]> = {}
  for (const path of [...keptLists, ...livingLists]) lists[path] = await readList(ask, path)
  const delivery = lists['/whisperer/hook_events/']?.find(({ event_type }) => event_type === 'crm.customer.updated')
  return { apiKey, hook, delivery: Number(delivery?.['id']), lists }
}
