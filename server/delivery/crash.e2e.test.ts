import { createHmac, randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, test } from 'vitest'
import type { Database, Db } from '#platform/db/database.ts'
import { openPglite } from '#platform/db/open-pglite.ts'
import { openPostgres } from '#platform/db/open-postgres.ts'
import { logged, readDeliveries, type DeliveryRecord } from '#testing/chaos/delivery-records.ts'
import { hookSecret as secret } from '#testing/chaos/prepare-server.ts'
import { crashAgainAndAgain, type CrashRun } from '#testing/processes/crash-run.ts'
import { installDatabase } from '#testing/processes/install-database.ts'
import { createDatabase } from '#testing/open-test-database.ts'
import { makeReceiver, type Received, type Receiver } from '#testing/receiver.ts'
import { seededRandom } from '#platform/seeded-random.ts'

/** CRASH_SEED repeats the same requests, answers and waits; what is in flight at a kill still differs. */
const seed = Number(process.env['CRASH_SEED'] ?? randomInt(1_000_000_000))
/** CRASH_ROUNDS sets the kills on each engine. These few find what breaks easily; 30 or more find what is rare. */
const rounds = Number(process.env['CRASH_ROUNDS'] ?? 2)
/** DELIVERY_CONCURRENCY by default: what can be in flight when a server dies. */
const capacity = 128

const directory = mkdtempSync(join(tmpdir(), 'waybill-crash-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const { url, remove } = await createDatabase()
afterAll(remove)

interface Setting {
  readonly engine: string
  readonly environment: Readonly<Record<string, string>>
  readonly open: () => Promise<Database>
  readonly receiver: Receiver
}
const dataDir = (engine: string): string => join(directory, engine, 'data')
installDatabase(dataDir('embedded'))
const settings: readonly Setting[] = [
  {
    engine: 'embedded',
    environment: { DATA_DIR: dataDir('embedded') },
    open: () => openPglite({ directory: join(dataDir('embedded'), 'database') }),
    receiver: await makeReceiver(),
  },
  {
    engine: 'postgres',
    environment: { DATA_DIR: dataDir('postgres'), DATABASE_URL: url },
    open: () => openPostgres({ url, poolSize: 2 }),
    receiver: await makeReceiver(),
  },
]

test.concurrent.each(settings)(
  'nothing acknowledged is lost when servers are killed at random moments ($engine)',
  { timeout: 300_000 },
  async ({ engine, environment, open, receiver }) => {
    const random = seededRandom(seed)
    const refused: string[] = []
    const orderProblems = watchOrder()
    receiver.answer((received) => {
      const reply = { status: random() < 0.03 ? 500 : 200, delayMs: random() * 20 }
      refused.push(...signatureProblems(received), ...orderProblems(received, reply))
      return reply
    })
    const place = join(directory, engine)
    mkdirSync(place, { recursive: true })
    const options = { environment, directory: place, receiverUrl: receiver.url, secret, rounds, random }
    const run = await crashAgainAndAgain(options)

    const database = await open()
    const found = await readEverything(database.db)
    await database.close()
    const counts = summarize(run, found, receiver.received)
    process.stdout.write(`crash test, ${engine}, seed ${seed}: ${counts}\n`)

    expect(refused).toEqual([])
    expect(run.errors).toEqual([])
    expect(run.exitStatus).toBe(0)
    expect(run.load.surprises).toEqual([])
    expectPromisesKept(run, found)
    expectEachDelivered(found, receiver.received)
    expectRepeatsExplained(run, found, receiver.received)
    expectSequencesWithoutGaps(found, receiver.received)
  },
)

/** As two receivers would: one with the library of Standard Webhooks, one written for the original service. */
const signatureProblems = ({ headers, body }: Received): string[] => {
  const problems: string[] = []
  try {
    new Webhook(secret).verify(body.toString(), headers as Record<string, string>)
  } catch (error) {
    problems.push(`standard: ${String(error)}`)
  }
  const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  if (headers['x-whisperer-signature'] !== expected)
    problems.push(`whisperer: ${String(headers['x-whisperer-signature'])}`)
  const { type, event } = JSON.parse(body.toString()) as { type?: string; event?: { type: string; uuid: string } }
  if (event !== undefined && event.uuid !== String(headers['webhook-id']).replaceAll('-', ''))
    problems.push(`uuid: ${event.uuid}`)
  if (headers['x-whisperer-event'] !== (event?.type ?? type))
    problems.push(`event: ${String(headers['x-whisperer-event'])}`)
  return problems
}

/** Says of a request to the ordered hook that the one before it, of the same object, was not answered 200 yet. */
const watchOrder = () => {
  const acceptedAt = new Map<string, number>()
  return ({ path, headers, body }: Received, { status, delayMs }: { status: number; delayMs: number }): string[] => {
    if (path !== '/ordered') return []
    const { id } = (JSON.parse(body.toString()) as { payload: { id: number } }).payload
    const sequence = Number(headers['x-waybill-sequence'])
    const before = sequence === 1 ? 0 : acceptedAt.get(`${id} ${sequence - 1}`)
    const key = `${id} ${sequence}`
    // A timer can ring up to a millisecond early.
    if (status === 200 && !acceptedAt.has(key)) acceptedAt.set(key, performance.now() + delayMs - 1)
    return before === undefined || before > performance.now() ? [`order: ${key} came too early`] : []
  }
}

interface Everything {
  readonly deliveries: readonly DeliveryRecord[]
  readonly events: number
  /** How many packages there are of each order number. */
  readonly packages: ReadonlyMap<string, number>
}

const readEverything = async (db: Db): Promise<Everything> => {
  const { count } = await db
    .selectFrom('events')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('type', 'like', 'package.%')
    .executeTakeFirstOrThrow()
  const packages = await sql<{ orderNumber: string; count: number }>`
    select order_number, count(*) as count from packages group by order_number`.execute(db)
  return {
    deliveries: await readDeliveries(db),
    events: count,
    packages: new Map(packages.rows.map((row) => [row.orderNumber, row.count])),
  }
}

const webhookIdOfRequest = ({ headers }: Received): string => String(headers['webhook-id'])

const summarize = ({ load, starts }: CrashRun, { deliveries }: Everything, received: readonly Received[]): string => {
  const arrived = new Set(received.map(webhookIdOfRequest))
  const kept = new Set(
    deliveries.filter(({ webhookId }) => arrived.has(webhookId)).map(({ type, objectId }) => `${type} ${objectId}`),
  )
  const lost = [...load.acknowledged].filter((promise) => !kept.has(promise)).length
  const unknown = deliveries.reduce((sum, delivery) => sum + logged(delivery, 'unknown'), 0)
  const refused = deliveries.reduce((sum, delivery) => sum + logged(delivery, 'retry'), 0)
  const repeated = received.length - arrived.size - refused
  const { answered, unanswered } = load.repeats
  return [
    `kills ${starts.length - 1}, acknowledged ${load.acknowledged.size}, delivered ${arrived.size}, answered 500 ${refused}`,
    `repeated ${repeated} of ${unknown} in flight at a kill, unanswered ${load.abandoned()}`,
    `asked again with a key ${answered} + ${unanswered}, lost=${lost}`,
  ].join(', ')
}

const expectPromisesKept = ({ load, starts }: CrashRun, { deliveries, events, packages }: Everything): void => {
  expect(starts).toHaveLength(rounds + 1)
  // The load was real, and so was the trouble.
  expect(load.acknowledged.size).toBeGreaterThan(rounds * 5)
  expect(load.repeats.answered).toBeGreaterThan(0)
  expect(load.repeats.unanswered).toBeGreaterThan(0)

  const stored = new Set(deliveries.map(({ type, objectId }) => `${type} ${objectId}`))
  expect([...load.acknowledged].filter((promise) => !stored.has(promise))).toEqual([])
  // Each goes to the hook of its type, and to the ordered one.
  expect(deliveries).toHaveLength(2 * events)
  expect(stored.size).toBe(events)
  expect([...packages].filter(([, count]) => count !== 1)).toEqual([])
  expect([...load.keyed].filter((orderNumber) => !packages.has(orderNumber))).toEqual([])
}

/** What is stored arrived, and nothing else: an event that was rolled back reaches nobody. */
const expectEachDelivered = ({ deliveries }: Everything, received: readonly Received[]): void => {
  expect(deliveries.filter(({ status }) => status !== 'delivered')).toEqual([])
  const arrived = Map.groupBy(received, webhookIdOfRequest)
  expect([...arrived.keys()].toSorted()).toEqual(deliveries.map(({ webhookId }) => webhookId).toSorted())
  const changed = deliveries.filter(({ webhookId, body }) =>
    arrived.get(webhookId)?.some((request) => !request.body.equals(Buffer.from(body))),
  )
  expect(changed).toEqual([])
}

/** A delivery goes out again only when its attempt was refused, or was in flight when its server died. */
const expectRepeatsExplained = (
  { starts }: CrashRun,
  { deliveries }: Everything,
  received: readonly Received[],
): void => {
  const arrived = Map.groupBy(received, webhookIdOfRequest)
  for (const delivery of deliveries) {
    const times = arrived.get(delivery.webhookId)?.length ?? 0
    const ended = logged(delivery, 'delivered', 'retry')
    const unknown = logged(delivery, 'unknown')
    if (logged(delivery, 'delivered') !== 1 || times < ended || times > ended + unknown) {
      expect.fail(`${delivery.webhookId} arrived ${times} times, its log is ${JSON.stringify(delivery.log)}`)
    }
    expect(delivery.log.map(({ number }) => number)).toEqual(delivery.log.map((_, index) => index + 1))
    expect(delivery.attempts).toBe(delivery.log.length)
  }
  const unknown = deliveries.flatMap(({ log }) => log.filter(({ outcome }) => outcome === 'unknown'))
  // A server keeps time by its database, which on a busy machine it knows to some milliseconds: a start is far enough from a kill.
  const inFlight = starts
    .slice(1)
    .map(
      (next, index) =>
        unknown.filter(({ startedAt }) => startedAt >= (starts[index] ?? next) && startedAt < next).length,
    )
  expect(inFlight.reduce((sum, count) => sum + count, 0)).toBe(unknown.length)
  expect(Math.max(...inFlight)).toBeLessThanOrEqual(capacity)
}

const expectSequencesWithoutGaps = ({ deliveries }: Everything, received: readonly Received[]): void => {
  const byObject = Map.groupBy(deliveries, ({ objectId }) => objectId)
  const gaps = [...byObject].filter(([, events]) => {
    const sequences = [...new Set(events.map(({ sequence }) => sequence))].toSorted((a, b) => a - b)
    return sequences.some((sequence, index) => sequence !== index + 1)
  })
  expect(gaps).toEqual([])
  const sequenceOf = new Map(deliveries.map(({ webhookId, sequence }) => [webhookId, String(sequence)]))
  const wrong = received.filter((one) => one.headers['x-waybill-sequence'] !== sequenceOf.get(webhookIdOfRequest(one)))
  expect(wrong).toEqual([])
}
