import { setTimeout as sleep } from 'node:timers/promises'
import type { SubscriptionSettings } from '#delivery/subscriber/subscription.ts'
import type { Database } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { packageCreated, settings } from '../make-deliveries.ts'
import { makeTestEngine, type TestEngine } from '../make-test-engine.ts'
import { drained, readDeliveries, type DeliveryRecord } from './delivery-records.ts'
import { startLedger, type Ledger } from './ledger.ts'
import { receiverTroubles } from './receiver-trouble.ts'

export interface ReceiverTroublesOptions {
  /** Open and migrated; nobody else delivers from it. */
  readonly database: Database
  readonly random: () => number
  /** How long events are raised while the receivers are in trouble. */
  readonly troubleMs: number
  /** Endpoints in each kind of trouble. */
  readonly ofEach: number
}

export interface ReceiverTroublesReport {
  readonly events: number
  readonly deliveries: number
  readonly requests: number
  readonly lost: number
  /** Milliseconds from commit to arrival at healthy receivers, 99 %: before and during the trouble. */
  readonly aloneP99Ms: number
  readonly troubledP99Ms: number
  /** From the mending of the receivers until nothing was pending. */
  readonly drainedMs: number
  readonly problems: readonly string[]
}

const healthyEndpoints = 3
const aloneMs = 1_000
const eventEveryMs = 40
const drainMs = 90_000
const healthyName = 'healthy'

interface Endpoint {
  readonly id: number
  /** What it does: the name of a trouble, or `healthy`. */
  readonly kind: string
  readonly url: string
}

/**
 * A delivery engine whose receivers do everything that receivers do, a few healthy ones among them. Then
 * all are mended, and everything has to arrive.
 */
export const runReceiverTroubles = async (options: ReceiverTroublesOptions): Promise<ReceiverTroublesReport> => {
  const { database, random, troubleMs } = options
  const ledger = await startLedger()
  const engine = await makeTestEngine(database)
  await engine.start()
  const scene: Scene = { database, engine, ledger, random, committedAt: new Map() }

  const healthy = await subscribeAll(scene, [healthyName], healthyEndpoints)
  await raiseFor(scene, aloneMs)
  const aloneP99Ms = await p99Of(scene, healthy)
  const troubled = await subscribeAll(scene, [...receiverTroubles.map(({ name }) => name), 'bad TLS'], options.ofEach)
  scene.committedAt.clear()
  ledger.answer((arrival, response) => {
    const kind = kindOf(arrival.path)
    const trouble = receiverTroubles.find(({ name }) => name === kind)
    if (trouble === undefined) response.writeHead(200).end()
    else trouble.answer(arrival, response)
  })
  await raiseFor(scene, troubleMs)
  const troubledP99Ms = await p99Of(scene, healthy)

  ledger.answer((_arrival, response) => void response.writeHead(200).end())
  for (const endpoint of troubled) await mend(scene, endpoint)
  const mendedAt = performance.now()
  // What is still pending then is judged with the rest.
  await drained(database.db, drainMs).catch(() => undefined)
  const drainedMs = Math.round(performance.now() - mendedAt)
  await engine.stop()
  await ledger.close()
  const records = await readDeliveries(database.db)
  const judged = await judge(scene, [...healthy, ...troubled], records)
  return { ...judged, aloneP99Ms, troubledP99Ms, drainedMs }
}

interface Scene {
  readonly database: Database
  readonly engine: TestEngine
  readonly ledger: Ledger
  readonly random: () => number
  /** Package → when its event was committed, by `performance.now()`. */
  readonly committedAt: Map<number, number>
}

/** Every second endpoint has order, and every other one the other envelope. */
const settingsOf = (url: string): SubscriptionSettings => ({
  ...settings,
  url,
  ...(/[13579]$/.test(url) ? { order: 'object' } : { envelope: 'original' }),
  retry: { choice: 'fixed', kwargs: { seconds: 1 } },
})

const subscribeAll = async ({ database, engine, ledger }: Scene, kinds: readonly string[], ofEach: number) => {
  const endpoints: Endpoint[] = []
  for (const kind of kinds) {
    for (let time = 0; time < ofEach; time++) {
      const url = `${ledger.url}${encodeURIComponent(kind)}/${endpoints.length}`
      // What answers there speaks no TLS.
      const first = kind === 'bad TLS' ? url.replace('http:', 'https:') : url
      const id = await inTransaction(database.db, (tx) => engine.subscriptions.create(tx, settingsOf(first)))
      endpoints.push({ id, kind, url })
    }
  }
  return endpoints
}

const kindOf = (path: string): string => decodeURIComponent(path.split('/')[1] ?? '')

/** Each endpoint gets an address that works: that also brings back one that said it is gone. */
const mend = ({ database, engine }: Scene, { id, url }: Endpoint): Promise<void> =>
  inTransaction(database.db, (tx) => engine.subscriptions.replace(tx, id, settingsOf(url)))

let packages = 0
const raiseFor = async ({ database, engine, random, committedAt }: Scene, milliseconds: number): Promise<void> => {
  for (const until = performance.now() + milliseconds; performance.now() < until; await sleep(eventEveryMs)) {
    const numbers = Array.from({ length: 1 + Math.floor(random() * 3) }, () => (packages += 1))
    await inTransaction(database.db, (tx) => engine.outbox.append(tx, numbers.map(packageCreated)))
    for (const number of numbers) committedAt.set(number, performance.now())
  }
}

/** Of what was committed since the last clearing; waits until all of it has arrived there. */
const p99Of = async ({ ledger, committedAt }: Scene, healthy: readonly Endpoint[]): Promise<number> => {
  for (const giveUpAt = performance.now() + drainMs; performance.now() < giveUpAt; await sleep(10)) {
    const waits = ledger.arrivals
      .filter(({ path }) => kindOf(path) === healthyName)
      .flatMap(({ body, at }) => {
        const { data, payload } = JSON.parse(body) as Record<string, { id: number } | undefined>
        const committed = committedAt.get((data ?? payload)?.id ?? 0)
        return committed === undefined ? [] : [Math.max(0, at - committed)]
      })
      .toSorted((a, b) => a - b)
    if (waits.length < committedAt.size * healthy.length) continue
    return Math.round(waits[Math.floor(waits.length * 0.99)] ?? Number.NaN)
  }
  throw new Error('Healthy receivers did not get everything.')
}

const judge = async (
  { database, ledger }: Scene,
  endpoints: readonly Endpoint[],
  records: readonly DeliveryRecord[],
) => {
  const { db } = database
  const arrived = Map.groupBy(ledger.arrivals, ({ webhookId }) => webhookId)
  const events = await db.selectFrom('events').select(['type']).where('type', '=', 'package.created').execute()
  const reasons = await db
    .selectFrom('attempts')
    .innerJoin('deliveries', 'deliveries.id', 'attempts.deliveryId')
    .select(['subscriptionId', 'reason'])
    .distinct()
    .execute()
  const problems: string[] = []
  let lost = 0
  for (const { id, kind } of endpoints) {
    const trouble = receiverTroubles.find(({ name }) => name === kind)
    const ends = trouble?.ends ?? ['delivered']
    const own = records.filter(({ subscriptionId }) => subscriptionId === id)
    // A delivery that is kept for whoever asks for it is not lost; one that says delivered and is not, is.
    lost += own.filter(
      ({ status, webhookId }) => !ends.includes(status) || (status === 'delivered' && !arrived.has(webhookId)),
    ).length
    const expected = kind === 'bad TLS' ? /^tls_error$/ : (trouble?.reason ?? /^delivered$/)
    const said = reasons.filter(({ subscriptionId }) => subscriptionId === id).map(({ reason }) => reason ?? '')
    if (!said.some((reason) => expected.test(reason))) problems.push(`${kind}: the log says ${said.join(', ')}`)
    if (kind === healthyName && own.length !== events.length) lost += events.length - own.length
  }
  for (const { webhookId, body } of records)
    if (arrived.get(webhookId)?.some((one) => one.body !== body)) problems.push(`${webhookId} arrived changed`)
  return { events: events.length, deliveries: records.length, requests: ledger.arrivals.length, lost, problems }
}
