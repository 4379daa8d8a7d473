import { beforeEach, expect, test } from 'vitest'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { endOf, makeDeliveries, packageCreated } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { claim, leaseMs, type Claimed, type Want } from '../queue/claim.ts'
import { finish } from '../queue/finish.ts'
import type { Arrival } from './append.ts'
import { makeOutbox } from './outbox.ts'

const { db } = await openTestDatabase()
const clock = makeFakeClock()
const { subscribe, find, clear } = makeDeliveries({ db, clock })

/** A worker that has room for so many deliveries of each subscription. */
const makeWorker = (room: number) => {
  const settled: { readonly offer: readonly Want[]; readonly claims: readonly Claimed[] }[] = []
  const woken: number[] = []
  const outbox = makeOutbox({
    clock,
    wake: (ids) => void woken.push(...ids),
    handOver: {
      offer: (ids) => ids.map((subscriptionId) => ({ subscriptionId, lane: 0, limit: room })),
      settle: (offer, claims) => void settled.push({ offer, claims }),
    },
  })
  const raise = (...packages: number[]) =>
    inTransaction(db, (tx) =>
      outbox.append(
        tx,
        packages.map((id) => packageCreated(id)),
      ),
    )
  const taken = () => settled.flatMap(({ claims }) => claims)
  return { outbox, raise, settled, taken, woken }
}
const arrival = (id: string, contentHash = 'hash'): Arrival => ({
  userId: 1,
  id,
  contentHash,
  event: packageCreated(1),
})
const count = async (table: 'events' | 'deliveries') =>
  Number(
    (
      await db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
    ).count,
  )

beforeEach(async () => {
  await clear()
  await db.deleteFrom('externalEvents').execute()
})

test('a delivery for which there is room is made with the lease that a claim would take', async () => {
  const id = await subscribe()
  const worker = makeWorker(8)
  // The first event says who listens.
  await worker.raise(1)
  expect([worker.woken, worker.taken()]).toEqual([[id], []])
  const [claimed] = await claim(db, clock.now(), [{ subscriptionId: id, lane: 0, limit: 1 }])
  await worker.raise(1)
  const [taken] = worker.taken()
  expect(worker.woken).toEqual([id])
  expect(taken).toEqual({
    ...claimed,
    id: taken?.id,
    eventId: taken?.eventId,
    token: taken?.token,
    sequence: Number(claimed?.sequence) + 1,
  })
  expect(await find(taken?.id ?? 0)).toMatchObject({
    status: 'pending',
    attempts: 1,
    leaseToken: taken?.token,
    leasedAt: clock.now(),
    leasedUntil: new Date(clock.now().getTime() + leaseMs),
  })
  const late = await claim(db, clock.now(), [{ subscriptionId: id, lane: 0, limit: 8 }])
  expect(late).toEqual([])
  expect((await finish(db, taken === undefined ? [] : [endOf(taken, clock.now())])).ours).toEqual(new Set([taken?.id]))
})

test('what there is no room for waits for a claim', async () => {
  const id = await subscribe()
  const worker = makeWorker(2)
  await worker.raise(1)
  await worker.raise(1, 2, 3, 4)
  expect(worker.taken().map(({ sequence }) => sequence)).toHaveLength(2)
  expect(worker.woken).toEqual([id, id])
  const rest = await claim(db, clock.now(), [{ subscriptionId: id, lane: 0, limit: 8 }])
  expect(rest).toHaveLength(3)
})

test('nothing is handed over of a subscription whose row a claim would lock, or that is quiet or off', async () => {
  const ids: Record<string, number> = {
    well: await subscribe(),
    limited: await subscribe({ rateLimit: { perSecond: 1, burst: 1 } }),
    failing: await subscribe(),
    held: await subscribe(),
    off: await subscribe(),
    disabled: await subscribe(),
  }
  const worker = makeWorker(8)
  await worker.raise(1)
  const set = (name: string, values: object) =>
    db
      .updateTable('subscriptions')
      .set(values)
      .where('id', '=', ids[name] ?? 0)
      .execute()
  await set('failing', { health: 'failing', failures: 5 })
  await set('held', { holdUntil: new Date(clock.now().getTime() + 1_000) })
  await set('off', { isActive: false, disabledReason: 'manual' })
  await set('disabled', { isActive: false, disabledReason: 'failing' })
  await worker.raise(2)
  expect(worker.settled[1]?.offer).toHaveLength(6)
  expect(worker.taken().map(({ subscriptionId }) => subscriptionId)).toEqual([ids['well']])
  const { rows } = {
    rows: await db.selectFrom('deliveries').select(['subscriptionId', 'status']).orderBy('id').execute(),
  }
  const second = new Map(rows.slice(6).map(({ subscriptionId, status }) => [subscriptionId, status]))
  expect(Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, second.get(id)]))).toEqual({
    well: 'pending',
    limited: 'pending',
    failing: 'pending',
    held: 'pending',
    off: undefined,
    disabled: 'held',
  })
})

test('a transaction that is rolled back gives the room back, and hands nothing over', async () => {
  await subscribe()
  const worker = makeWorker(8)
  await worker.raise(1)
  const failing = inTransaction(db, async (tx) => {
    await worker.outbox.append(tx, [packageCreated(2)])
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(worker.settled[1]).toMatchObject({ offer: [{ limit: 8 }], claims: [] })
  expect(await count('deliveries')).toBe(1)
})

test('a commit whose answer is lost gives the room back; repeated, it is known, and its lease runs out', async () => {
  const id = await subscribe()
  const worker = makeWorker(8)
  await worker.outbox.acceptAlone(db, [arrival('a')])
  const losing = new Proxy(db, {
    get: (target, name) =>
      name === 'executeQuery'
        ? async (...query: Parameters<Db['executeQuery']>) => {
            await target.executeQuery(...query)
            throw new Error('Connection terminated')
          }
        : Reflect.get(target, name, target),
  })
  await expect(worker.outbox.acceptAlone(losing, [arrival('b')])).rejects.toThrow('Connection terminated')
  expect(worker.settled[1]).toMatchObject({ offer: [{ limit: 8 }], claims: [] })
  expect(await worker.outbox.acceptAlone(db, [arrival('b')])).toEqual(['duplicate'])
  expect(await count('deliveries')).toBe(2)
  const want = [{ subscriptionId: id, lane: 0, limit: 8 }] as const
  expect(await claim(db, clock.now(), want)).toHaveLength(1)
  clock.advance(leaseMs + 1)
  expect(await claim(db, clock.now(), want)).toMatchObject([{ attempt: 2 }, { attempt: 2 }])
})

test('of events that share a statement each is judged by itself', async () => {
  const { outbox } = makeWorker(0)
  expect(await outbox.acceptAlone(db, [arrival('a'), arrival('b', 'one')])).toEqual(['accepted', 'accepted'])
  const events = [arrival('b', 'other'), arrival('c'), arrival('a'), { ...arrival('a'), userId: 2 }]
  expect(await outbox.acceptAlone(db, events)).toEqual(['id_reused', 'accepted', 'duplicate', 'accepted'])
  expect(await count('events')).toBe(4)
})

test('events of several users at once, in any order, are numbered without gaps and never deadlock', async () => {
  const { outbox } = makeWorker(0)
  const groups = Array.from({ length: 20 }, (_, group) =>
    Array.from({ length: 10 }, (__, index) => ({
      ...arrival(`${group} ${index}`),
      userId: 1 + ((group + index) % 3),
      event: packageCreated(1 + ((group * index) % 4)),
    })),
  )
  const all = await Promise.all(groups.map((group) => outbox.acceptAlone(db, group)))
  expect(all.flat().every((acceptance) => acceptance === 'accepted')).toBe(true)
  const rows = await db.selectFrom('events').select(['objectId', 'sequence']).execute()
  for (const [, events] of Map.groupBy(rows, ({ objectId }) => objectId)) {
    const numbers = events.map(({ sequence }) => Number(sequence)).toSorted((one, other) => one - other)
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index))
  }
})
