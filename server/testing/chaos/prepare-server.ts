import { request } from 'undici'

/** What every server of these tests is started with, besides where its data is. */
export const serverEnvironment = {
  LOG_LEVEL: 'warn',
  ADMIN_EMAIL: 'admin@waybill.test',
  ADMIN_PASSWORD: 'correct horse battery',
  SECRET_KEY: 'a key for crash tests, 32 characters',
}

export const hookSecret = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`

export interface Preparation {
  readonly origin: string
  /** One hook each; every second one has the other envelope, whose name is its path at the receiver. */
  readonly eventTypes: readonly string[]
  readonly receiverUrl: string
  /** Signing secret of the hooks. */
  readonly secret: string
  readonly locations: number
  /** Whether one more hook gets all of these events in order, at the path `/ordered` of the receiver. */
  readonly isOrdered?: boolean
}

export interface Prepared {
  readonly authorization: string
  /** Stock locations, each with more chairs than anybody will pack. */
  readonly locations: readonly number[]
}

const oneSecond = { choice: 'fixed', kwargs: { seconds: 1 } }

/** Signs in as the superuser, subscribes to the events, and fills stock locations. */
export const prepareServer = async (options: Preparation): Promise<Prepared> => {
  const { origin, eventTypes, receiverUrl, secret, isOrdered = false } = options
  const login = { username: serverEnvironment.ADMIN_EMAIL, password: serverEnvironment.ADMIN_PASSWORD }
  const { key } = await post<{ key: string }>(`${origin}/api/v1/auth/login/`, login)
  const authorization = `Token ${key}`
  const hooks = eventTypes.map((event_type, index) => {
    const format = index % 2 === 0 ? 'original' : 'standard'
    return { event_type, target_url: new URL(format, receiverUrl).href, config: { format } }
  })
  const ordered = { event_type: eventTypes, target_url: `${receiverUrl}/ordered`, config: { order: 'object' } }
  for (const hook of isOrdered ? [...hooks, ordered] : hooks) {
    const rest = { secret_key: secret, retry_countdown_config: oneSecond }
    await post(`${origin}/whisperer/hooks/`, { ...hook, ...rest }, authorization)
  }
  const locations: number[] = []
  for (let index = 0; index < options.locations; index++) {
    const path = `${origin}/api/v1/stock_locations/`
    const { id } = await post<{ id: number }>(path, { code: `L-${index}`, name: `Location ${index}` }, authorization)
    await post(`${path}${id}/stock/`, { sku: 'CHAIR', quantity: 1_000_000, reason: 'First count' }, authorization)
    locations.push(id)
  }
  return { authorization, locations }
}

const post = async <T>(url: string, body: object, authorization?: string): Promise<T> => {
  const headers = { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) }
  const answer = await request(url, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`POST ${url} answered ${answer.statusCode}: ${text}`)
  return JSON.parse(text) as T
}
