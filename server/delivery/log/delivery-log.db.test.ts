import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { tries } from '#testing/is-everything-wanted.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeDeliveries, packageCreated } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { firstIdOf, timeOfId } from '../tables/time-id.ts'
import type { DeliveryStatus } from '../tables/tables.ts'
import type { DeliveryFilter } from './delivery-filter.ts'
import { listDeliveries, type Delivery } from './delivery-log.ts'

const { db } = await openTestDatabase()
const { subscribe, outbox } = makeDeliveries({ db, clock: makeFakeClock() })
const statuses: readonly DeliveryStatus[] = ['pending', 'delivered', 'failed', 'cancelled', 'held']
const list = defineList({ key: 'deliveries.id', count: 'bounded', orderings: { id: 'deliveries.id' } })
const owned: number[] = []
let rows: readonly Row[] = []

type Row = Pick<
  Delivery,
  | 'id'
  | 'subscriptionId'
  | 'status'
  | 'attempts'
  | 'lastStatus'
  | 'lastReason'
  | 'eventType'
  | 'objectType'
  | 'objectId'
>

/** All deliveries, by a statement that knows of no list: the newest first. */
const readAll = async (): Promise<readonly Row[]> =>
  (
    await sql<Row>`
      select delivery.id, delivery.subscription_id as "subscriptionId", delivery.status, delivery.attempts,
        delivery.last_status as "lastStatus", delivery.last_reason as "lastReason",
        event.type as "eventType", event.object_type as "objectType", event.object_id as "objectId"
      from deliveries delivery join events event on event.id = delivery.event_id order by delivery.id desc`.execute(db)
  ).rows

const raise = (count: number): Promise<void> =>
  inTransaction(db, (tx) =>
    outbox.append(
      tx,
      Array.from({ length: count }, (_, index) => {
        const event = packageCreated((index % 5) + 1)
        if (index % 3 === 0) return event
        return {
          ...event,
          type: 'package.status.packed',
          object: { type: 'shipment', id: (index % 5) + 1 },
        } as typeof event
      }),
    ),
  )

/** Gives each delivery a status as its number in a random order has it, and what goes with that. */
const spread = (seed: number) =>
  sql`
    update deliveries set status = (array['pending', 'delivered', 'delivered', 'failed', 'cancelled', 'held'])[1 + place % 6],
      attempts = place % 3, last_status = case when place % 6 in (1, 2) then 200 when place % 3 = 0 then 503 end,
      last_reason = case when place % 6 in (1, 2) then 'delivered' when place % 3 = 0 then 'http_503' when place % 3 = 1 then 'timeout' end
    from (select id, row_number() over (order by hashint8extended(id, ${seed})) as place from deliveries) as placed
    where placed.id = deliveries.id`.execute(db)

beforeAll(async () => {
  const eventTypes = ['package.created', 'package.status.packed'] as const
  for (let index = 0; index < 5; index++) owned.push(await subscribe({ eventTypes }))
  for (let index = 0; index < 6; index++) await raise(7)
  await spread(1)
  rows = await readAll()
})

const has = {
  eventType: ({ eventType }: Row, wanted: string) => eventType === wanted,
  objectType: ({ objectType }: Row, wanted: string) => objectType === wanted,
  objectId: ({ objectId }: Row, wanted: string) => objectId === wanted,
  id: ({ id }: Row, wanted: number) => id === wanted,
  statuses: ({ status }: Row, wanted: readonly DeliveryStatus[]) => wanted.includes(status),
  delivered: ({ status }: Row, wanted: boolean) => (status === 'delivered') === wanted,
  pendingTried: ({ status, attempts }: Row, wanted: boolean) => status !== 'pending' || attempts > 0 === wanted,
  lastStatus: ({ lastStatus }: Row, wanted: number) => lastStatus === wanted,
  lastReason: ({ lastReason }: Row, wanted: string) => lastReason === wanted,
  createdFrom: ({ id }: Row, wanted: Date) => id >= firstIdOf(wanted),
  createdBefore: ({ id }: Row, wanted: Date) => id < firstIdOf(wanted),
}
const isIn = (row: Row, { subscriptionIds, ...filter }: DeliveryFilter): boolean =>
  subscriptionIds.includes(row.subscriptionId) &&
  Object.entries(filter).every(
    ([name, wanted]) => wanted === undefined || has[name as keyof typeof has](row, wanted as never),
  )

const anyId = fc.nat(209).map((index) => rows[index]?.id ?? 0)
const anyFilter: fc.Arbitrary<DeliveryFilter> = fc.record(
  {
    subscriptionIds: fc
      .subarray([0, 1, 2, 3, 4], { minLength: 1 })
      .map((places) => places.map((place) => owned[place] ?? 0)),
    eventType: fc.constantFrom('package.created', 'package.status.packed', 'package.status.shipped'),
    objectType: fc.constantFrom('package', 'shipment', ''),
    objectId: fc.constantFrom('1', '2', '6'),
    id: anyId,
    statuses: fc.subarray([...statuses], { minLength: 1 }),
    delivered: fc.boolean(),
    pendingTried: fc.boolean(),
    lastStatus: fc.constantFrom(200, 503, 418),
    lastReason: fc.constantFrom('timeout', 'http_503', 'delivered'),
    createdFrom: anyId.map(timeOfId),
    createdBefore: anyId.map(timeOfId),
  },
  { requiredKeys: ['subscriptionIds'] },
)

/** Two filters at most: more of them leave nothing. */
const anyPair = fc.tuple(anyFilter, fc.infiniteStream(fc.nat(20))).map(([{ subscriptionIds, ...filter }, places]) => {
  const kept = Object.entries(filter)
    .map((entry) => [places.next().value ?? 0, entry] as const)
    .toSorted(([one], [other]) => one - other)
  return { subscriptionIds, ...Object.fromEntries(kept.slice(0, 2).map(([, entry]) => entry)) }
})

/** Ids on the pages of a list, and its count, from its first page to the last along the cursors. */
const walk = async (filter: DeliveryFilter, limit: number, between: () => Promise<unknown> = async () => undefined) => {
  const ids: number[] = []
  const counts = new Set<number>()
  let cursor: string | undefined
  do {
    const page = { page: 1, limit, ordering: '-id', ...(cursor === undefined ? {} : { cursor }) }
    const found = await listDeliveries(db, list, filter, page)
    ids.push(...found.rows.map(({ id }) => id))
    counts.add(found.count)
    cursor = found.bounded?.next
    if (cursor !== undefined) await between()
  } while (cursor !== undefined)
  return { ids, counts: [...counts] }
}

test('a list by any pair of filters has the rows and the count of a plain query, page by page', async () => {
  expect(rows).toHaveLength(210)
  await fc.assert(
    fc.asyncProperty(anyPair, fc.constantFrom(3, 10, 1_000), async (filter, limit) => {
      const expected = rows.filter((row) => isIn(row, filter)).map(({ id }) => id)
      expect(await walk(filter, limit)).toEqual({ ids: expected, counts: [expected.length] })
    }),
    tries(50, 150),
  )
})

test('cursors lead to every row that was there all the time exactly once, while rows are added and statuses change', async () => {
  await fc.assert(
    fc.asyncProperty(anyPair, fc.infiniteStream(fc.nat(1_000)), async (filter, seeds) => {
      const before = await readAll()
      const steady = new Set(before.filter((row) => isIn(row, filter)).map(({ id }) => id))
      const { ids } = await walk(filter, 20, async () => {
        await raise(1)
        await spread(seeds.next().value ?? 0)
        const still = new Set((await readAll()).filter((row) => isIn(row, filter)).map(({ id }) => id))
        for (const id of steady) if (!still.has(id)) steady.delete(id)
      })
      expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => other - one))
      expect([...steady].filter((id) => !ids.includes(id))).toEqual([])
    }),
    { numRuns: 10 },
  )
})
