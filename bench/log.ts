import { contentTypes } from '#events/content-types.ts'
import { openDatabase } from '#platform/db/open.ts'
import { percentile, threeRuns, type Figure } from './figure.ts'
import { connectLeanClient, timesOf } from './lean-client.ts'
import { openServer, type BenchServer } from './open-server.ts'
import { scaled } from './scale.ts'
import { seedLog } from './seed-log.ts'

const password = 'correct horse battery'
/** Staff with so many hooks each; the superuser, who has as many as are missing, sees all. */
const owners = { 'one@bench.test': 1, 'many@bench.test': 300 }
const subscriptions = 1_000
const webhooks = 20
const backOffice = [
  'package.created',
  'package.status.transitioned',
  'package.status.packed',
  'package.status.shipped',
  'shipment.created',
  'shipment.status.updated',
  'transfer.status.created',
  'transfer.status.transitioned',
]
const requestsOfEach = 20
const maxMsOfEach = 1_000
const dayMs = 86_400_000
const daysAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString()

/** A log as somebody sees it. */
interface Reader {
  readonly title: string
  readonly key: string
  readonly path: string
  /** By name; those of one field begin alike and make no pair. */
  readonly filters: Readonly<Record<string, string>>
  /** Of the counts over time that stand above the list; absent where it has none. */
  readonly histogram?: string
}

/** Lists of the delivery log among 10,000,000 deliveries with their attempts, by a whole server on PostgreSQL. */
export const deliveryLog = async (): Promise<Figure[]> => {
  // Retention would take half of the attempts away meanwhile.
  const server = await openServer('postgres', { more: { ATTEMPT_RETENTION_DAYS: '90' } })
  try {
    const readers = await subscribeAll(server)
    const database = await openDatabase({ ...server.location, poolSize: 2 })
    const began = performance.now()
    await seedLog(database, scaled(10_000_000, 10_000))
    await database.close()
    const value = (performance.now() - began) / 1_000
    const figures: Figure[] = [{ name: 'deliveries seeded in the database itself', unit: 's', value, reach: '' }]
    for (const makeReader of readers) {
      const reader = await makeReader()
      figures.push(...(await threeRuns(() => measure(server, reader))))
    }
    return figures
  } finally {
    await server.close()
  }
}

/** Makes the subscriptions. @returns those who read, once there is something to read. */
const subscribeAll = async (server: BenchServer): Promise<(() => Promise<Reader>)[]> => {
  let made = 0
  const hooks = async ({ call }: Pick<BenchServer, 'call'>, count: number): Promise<void> => {
    for (let index = 0; index < count; index++) {
      const event_type = backOffice[made % backOffice.length]
      await call('POST', '/whisperer/hooks/', { event_type, target_url: `http://127.0.0.1:4109/${made++}` })
    }
  }
  const readers: (() => Promise<Reader>)[] = []
  for (const [email, count] of Object.entries(owners)) {
    await server.call('POST', '/api/v1/users/', { email, password, is_staff: true })
    const owner = await server.logIn(email, password)
    await hooks(owner, count)
    readers.push(() => hookReader(`hook events of ${count} hooks`, owner))
  }
  await hooks(server, subscriptions - webhooks - made)
  readers.push(() => hookReader('hook events of all', server))
  const path = await projectWebhooks(server)
  return [...readers, () => webhookReader(server, path)]
}

/** @returns the path of the deliveries of the first one, which gets the most. */
const projectWebhooks = async ({ call }: BenchServer): Promise<string> => {
  const organization = await call<{ _id: string }>('POST', '/api/v1/organizations/', { name: 'Bench' })
  const projects = `/api/v1/organizations/${organization._id}/projects/`
  const project = await call<{ _id: string }>('POST', projects, { name: 'Bench', slug: 'bench' })
  const path = `${projects}${project._id}/settings/webhooks/`
  const events = ['deployment.build.created', 'deployment.build.succeeded']
  for (let index = 1; index <= webhooks; index++) {
    const webhook = { name: `Webhook ${index}`, url: `http://127.0.0.1:4109/webhooks/${index}`, events }
    await call('POST', path, webhook)
  }
  const [first] = await call<readonly { _id: string }[]>('GET', path)
  return `${path}${first?._id}/deliveries/`
}

const hookReader = async (title: string, { key, call }: Pick<BenchServer, 'key' | 'call'>): Promise<Reader> => {
  const path = '/whisperer/hook_events/'
  const results = await call<readonly HookEvent[]>('GET', `${path}?limit=100`)
  const middle = results[Math.floor(results.length / 2)]
  if (middle === undefined) throw new Error('Nothing was delivered.')
  const filters = {
    webhook: `webhook=${middle.webhook.id}`,
    event_type: `event_type=${middle.webhook.event_type}`,
    object: `content_type=${contentTypes.package}&object_id=${middle.object_id}`,
    'object, with many': `content_type=${contentTypes.package}&object_id=1`,
    'status, most': 'status=delivered',
    'status, few': 'status=failed',
    response_http_status: 'response_http_status=503',
    'created_date__gte, a week': `created_date__gte=${daysAgo(7)}`,
    'created_date__lt, half': `created_date__lt=${daysAgo(28)}`,
    uuid: `uuid=${middle.uuid}`,
    reason: 'reason=timeout',
  }
  return { title, key, path, filters, histogram: `${path}histogram/?created_date__gte=${daysAgo(56)}` }
}
interface HookEvent {
  readonly uuid: string
  readonly object_id: string
  readonly webhook: { readonly id: number; readonly event_type: string }
}

const webhookReader = async ({ key, call }: BenchServer, path: string): Promise<Reader> => {
  const [first] = await call<readonly { messageId: string }[]>('GET', path)
  const filters = {
    event: 'event=deployment.build.succeeded',
    'status, most': 'status=delivered',
    'status, few': 'status=failed',
    messageId: `messageId=${first?.messageId}`,
  }
  return { title: 'deliveries of a project’s webhook', key, path, filters }
}

const measure = async (server: BenchServer, reader: Reader): Promise<Figure[]> => {
  const { title, key, path, filters, histogram } = reader
  const client = await connectLeanClient(server.origin, key)
  const next = await nextPage(server, key, path)
  const singles = { nothing: path, 'nothing, next page': next }
  const asked = Object.entries(filters)
  const figures: Figure[] = []
  const paths = {
    ...singles,
    ...Object.fromEntries(asked.map(([name, query]) => [name, `${path}?${query}`])),
    ...(histogram === undefined ? {} : histogramPaths(histogram, filters)),
  }
  for (const [name, one] of Object.entries(paths)) {
    const times = await timesOf(client, one, requestsOfEach, maxMsOfEach)
    for (const [share, text] of shares)
      figures.push({ name: `${title} by ${name}, ${text}`, unit: 'ms', value: percentile(times, share), reach: '' })
  }
  const pairs: { readonly name: string; readonly times: readonly number[] }[] = []
  for (const [index, [one, query]] of asked.entries())
    for (const [other, more] of asked.slice(index + 1).filter(([name]) => fieldOf(name) !== fieldOf(one)))
      pairs.push({
        name: `${one} and ${other}`,
        times: await timesOf(client, `${path}?${query}&${more}`, requestsOfEach, maxMsOfEach),
      })
  client.close()
  for (const [share, text] of shares) {
    const [worst] = pairs.toSorted((a, b) => percentile(b.times, share) - percentile(a.times, share))
    const name = `${title}, worst of ${pairs.length} pairs (${worst?.name}), ${text}`
    figures.push({ name, unit: 'ms', value: percentile(worst?.times ?? [], share), reach: '' })
  }
  return figures
}
const shares = [
  [0.5, 'p50'],
  [0.99, 'p99'],
] as const
const fieldOf = (name: string): string | undefined => name.split(/,|__/)[0]

/** The counts over all eight weeks, by each filter that leaves them these weeks. */
const histogramPaths = (histogram: string, filters: Reader['filters']): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ nothing: '', ...filters })
      .filter(([name]) => !name.startsWith('created_date'))
      .map(([name, query]) => [`${name}, histogram`, `${histogram}&${query}`] as const),
  )

/** The path of the page after the first, as the first names it. */
const nextPage = async ({ origin }: BenchServer, key: string, path: string): Promise<string> => {
  const answer = await fetch(origin + path, { headers: { authorization: key } })
  await answer.text()
  const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  if (next === undefined) throw new Error(`${path} has one page.`)
  const { pathname, search } = new URL(next, origin)
  return pathname + search
}
