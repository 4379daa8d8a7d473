import { randomInt } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { isEverythingWanted } from '#testing/is-everything-wanted.ts'
import { endOf, makeDeliveries, packageCreated } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { seededRandom } from '#platform/seeded-random.ts'
import { claim, claimOne, leaseMs, type Claimed } from '../queue/claim.ts'
import { finish } from '../queue/finish.ts'
import { release } from '../queue/queue.ts'
import { dropDelivery } from '../redelivery/drop-delivery.ts'
import { retryDeliveries } from '../redelivery/retry-delivery.ts'
import type { Lane } from '../tables/tables.ts'
import { resumeHeld } from './change-order.ts'
import { releaseEnded } from './release-ended.ts'
import { makeStartOrder } from './start-order.ts'

/** ORDER_SEED repeats the same actions; what the workers do at the same moment still differs. */
const seed = Number(process.env['ORDER_SEED'] ?? randomInt(1_000_000_000))
const worlds = isEverythingWanted ? 40 : 2
const objects = 4
const workers = 4
const actionsOfWorker = 40
/** Of all workers, until order is switched on. */
const actionsWithoutOrder = 40
const stepSize = 4
/** About each object, once the workers are done. */
const eventsAtTheEnd = 3

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const { outbox, subscriptions, subscribe, clear } = makeDeliveries({ db, clock })
const now = (): Date => clock.now()
const releaseSome = () => inTransaction(db, (tx) => releaseEnded(tx, now()))

test.each(Array.from({ length: worlds }, (_, world) => seed + world))(
  'once order is switched on, what is about one object arrives in order, from several workers that fail, die and are helped by hand (seed %i)',
  async (ofWorld) => {
    await clear()
    const random = seededRandom(ofWorld)
    const oneOf = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
    const subscriptionId = await subscribe()
    /** Sequences by object, in the order in which the receiver saw each first. */
    const arrived = new Map<number, number[]>()
    const given = new Set<number>()
    const underWay = new Map<string, number>()
    const together: string[] = []

    const send = async (claimed: Claimed, outcome: 'delivered' | 'retry' | 'failed' | 'dies' | 'given back') => {
      const row = await db
        .selectFrom('deliveries')
        .select(['objectId', 'sequence'])
        .where('id', '=', claimed.id)
        .executeTakeFirstOrThrow()
      const object = row.objectId ?? ''
      if (outcome === 'given back') return release(db, [claimed])
      if (claimed.isHead === true && underWay.has(object)) together.push(object)
      underWay.set(object, (underWay.get(object) ?? 0) + 1)
      if (outcome !== 'retry' || random() < 0.3) {
        const list = arrived.get(Number(object)) ?? []
        const sequence = claimed.sequence ?? 0
        // Sent without order.
        if (claimed.isHead !== true) given.add(claimed.id)
        if (!list.includes(sequence)) arrived.set(Number(object), [...list, sequence])
      }
      await nextTurn()
      underWay.set(object, (underWay.get(object) ?? 0) - 1)
      if (underWay.get(object) === 0) underWay.delete(object)
      if (outcome === 'dies') return undefined
      if (outcome === 'failed') given.add(claimed.id)
      const isRetry = outcome === 'retry' && claimed.status === 'pending'
      const status = isRetry ? 'pending' : endedAs(outcome)
      return finish(db, [endOf(claimed, now(), { status, outcome, nextAttemptAt: isRetry ? now() : null })])
    }
    const sendAll =
      (lane: Lane, outcome: () => Parameters<typeof send>[1], limit = 1 + Math.floor(random() * 4)) =>
      async () => {
        const claims = await claim(db, now(), [{ subscriptionId, lane, limit }])
        await Promise.all(claims.map((claimed) => send(claimed, outcome())))
        return claims.length
      }
    const anyOutcome = () =>
      oneOf(['delivered', 'delivered', 'delivered', 'retry', 'retry', 'failed', 'dies', 'given back'] as const) ??
      'dies'
    const anyDelivery = async (): Promise<number> => {
      const rows = await db.selectFrom('deliveries').select('id').execute()
      return oneOf(rows)?.id ?? 0
    }
    const byHand = async (id: number, act: (id: number) => Promise<unknown>) => {
      given.add(id)
      await act(id)
    }
    const actions: readonly (() => Promise<unknown>)[] = [
      ...Array.from(
        { length: 4 },
        () => () =>
          inTransaction(db, async (tx) => {
            // In the order of the objects, as whoever changes several locks them: any other order deadlocks all the time.
            const ids = Array.from({ length: 1 + Math.floor(random() * 3) }, () => 1 + Math.floor(random() * objects))
            for (const id of ids.toSorted((one, other) => one - other)) {
              clock.advance(1)
              await outbox.append(tx, [packageCreated(id)])
              await nextTurn()
            }
          }),
      ),
      ...([0, 0, 0, 1, 1] as const).map((lane) => sendAll(lane, anyOutcome)),
      () => releaseSome(),
      () => releaseSome(),
      // A process that dies between the statements of a release.
      () =>
        inTransaction(db, async (tx) => {
          await releaseEnded(tx, now())
          throw new Error('died')
        }).catch(() => undefined),
      async () => {
        const ids = [await anyDelivery(), await anyDelivery(), await anyDelivery()]
        for (const id of ids) given.add(id)
        await inTransaction(db, (tx) => retryDeliveries(tx, ids, { force: random() < 0.5 }, now()))
      },
      async () => byHand(await anyDelivery(), (id) => inTransaction(db, (tx) => dropDelivery(tx, id, now()))),
      async () =>
        byHand(await anyDelivery(), async (id) => {
          const claimed = await claimOne(db, now(), id)
          if (claimed !== undefined) await send(claimed, random() < 0.5 ? 'delivered' : 'failed')
        }),
      () => db.updateTable('subscriptions').set({ isActive: false, disabledReason: 'failing' }).execute(),
      () => db.updateTable('subscriptions').set({ isActive: true, disabledReason: null }).execute(),
      () => resumeHeld(db, now()),
      async () => clock.advance(leaseMs / 3),
    ]
    let actionsDone = 0
    const work = async () => {
      let startOrder = makeStartOrder(db, stepSize)
      const steps = [
        () => startOrder(now()),
        () => startOrder(now()),
        // A process that dies between two steps.
        async () => (startOrder = makeStartOrder(db, stepSize)),
      ]
      for (let action = 0; action < actionsOfWorker; action++) {
        if (actionsDone++ === actionsWithoutOrder) await switchOn(subscriptionId)
        await oneOf(random() < 0.3 ? steps : actions)?.()
        expect(await broken()).toEqual([])
      }
    }
    await Promise.all(Array.from({ length: workers }, work))
    const startOrder = makeStartOrder(db, stepSize)

    // Nobody helps these by hand, so that every world has some that have to arrive in order.
    const allObjects = Array.from({ length: objects }, (_, index) => index + 1)
    for (let event = 0; event < eventsAtTheEnd; event++)
      await inTransaction(db, (tx) => outbox.append(tx, allObjects.map(packageCreated)))

    await db.updateTable('subscriptions').set({ isActive: true }).execute()
    for (let round = 0; round < 1_000 && (await openCount()) > 0; round++) {
      clock.advance(leaseMs + 1)
      await startOrder(now())
      await resumeHeld(db, now())
      for (const lane of [0, 1] as const) await sendAll(lane, () => (random() < 0.2 ? 'retry' : 'delivered'), 100)()
      await releaseSome()
    }
    await releaseSome()
    expect(await openCount()).toBe(0)
    expect(await db.selectFrom('objectQueues').selectAll().execute()).toEqual([])
    expect(together).toEqual([])
    // What somebody gave up, dropped or sent by hand may arrive late; all else arrives once after what was before it.
    const late = new Map<string, Set<number>>()
    for (const id of given) {
      const row = await db
        .selectFrom('deliveries')
        .innerJoin('events', 'events.id', 'eventId')
        .select(['events.objectId', 'events.sequence'])
        .where('deliveries.id', '=', id)
        .executeTakeFirst()
      if (row !== undefined)
        late.set(row.objectId ?? '', (late.get(row.objectId ?? '') ?? new Set()).add(row.sequence ?? 0))
    }
    let seen = 0
    for (const [object, sequences] of arrived) {
      const inOrder = sequences.filter((sequence) => late.get(String(object))?.has(sequence) !== true)
      expect(inOrder).toEqual(inOrder.toSorted((one, other) => one - other))
      seen += inOrder.length
    }
    expect(seen).toBeGreaterThanOrEqual(objects * eventsAtTheEnd)
  },
)

const switchOn = (id: number): Promise<void> =>
  inTransaction(db, async (tx) => {
    const stored = await subscriptions.find(tx, id)
    if (stored !== undefined) await subscriptions.replace(tx, id, { ...stored, order: 'object' })
  })

const endedAs = (outcome: string): 'delivered' | 'failed' => (outcome === 'delivered' ? 'delivered' : 'failed')

const openCount = async (): Promise<number> => {
  const rows = await db
    .selectFrom('deliveries')
    .select('id')
    .where('status', 'in', ['pending', 'waiting', 'held'])
    .execute()
  return rows.length
}

/** Objects that have two heads, or somebody waiting without one. */
const broken = async (): Promise<unknown[]> => {
  const { rows } = await sql`
    select object_id, count(*) filter (where is_head) as heads from deliveries where is_head is not null
    group by object_id
    having count(*) filter (where is_head) > 1
        or (count(*) filter (where is_head) = 0 and count(*) filter (where status in ('waiting', 'held')) > 0)`.execute(
    db,
  )
  return rows
}
