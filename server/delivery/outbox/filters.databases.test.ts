import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { tries } from '#testing/is-everything-wanted.ts'
import { makeDeliveries, packageCreated, settings } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { isLimits, type Condition, type EventFilter, type Limits } from '../subscriber/event-filter.ts'
import { matchesPattern } from '../subscriber/matching.ts'

const { db } = await openTestDatabase()
const { outbox, subscriptions, clear } = makeDeliveries({ db, clock: systemClock })

/** What stands at a path, as SQL/JSON paths in lax mode have it: of a list, each element is asked. */
const itemsAt = (value: unknown, path: readonly string[]): unknown[] => {
  const [name, ...rest] = path
  if (name === undefined) return [value]
  if (Array.isArray(value)) return value.flatMap((one) => (Array.isArray(one) ? [] : itemsAt(one, path)))
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return []
  return itemsAt((value as Record<string, unknown>)[name], rest)
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value)) ? Number(value) : undefined

const isWithin = (value: unknown, limit: number | string, name: keyof Limits): boolean => {
  const [one, other] = [typeof limit === 'number' ? (numberOf(value) ?? NaN) : value, limit]
  if (typeof one !== typeof other) return false
  const [left, right] = [one as number, other as number]
  return { gt: left > right, gte: left >= right, lt: left < right, lte: left <= right, exists: false }[name]
}

const isTrue = (items: readonly unknown[], condition: Condition): boolean => {
  const elements = items.flat()
  if (!isLimits(condition)) return [condition].flat().some((value) => elements.some((one) => one === value))
  const { exists, ...limits } = condition
  if (exists !== undefined && exists !== items.length > 0) return false
  return Object.entries(limits).every(([name, limit]: [string, number | string]) => {
    // What is no number makes the comparison of a whole list unknown.
    if (typeof limit === 'number' && elements.some((one) => numberOf(one) === undefined)) return false
    return elements.some((one) => isWithin(one, limit, name as keyof Limits))
  })
}

const fulfils = (object: unknown, filter: EventFilter): boolean =>
  Object.entries(filter).every(([path, condition]) => isTrue(itemsAt(object, path.split('.')), condition))

const scalar = fc.constantFrom('a', 'b', '10', '2.50', 10, 2.5, 0, -1, 1e21, true, false, null)
const number = fc.constantFrom(0, 2.5, 10, -1)
const limit = fc.oneof(number, fc.constantFrom('a', 'b', '10'))
const condition: fc.Arbitrary<Condition> = fc.oneof(
  scalar,
  fc.array(scalar, { minLength: 1, maxLength: 3 }),
  fc
    .record({ gt: limit, gte: limit, lt: limit, lte: limit, exists: fc.boolean() }, { requiredKeys: [] })
    .filter((limits) => Object.keys(limits).length > 0),
)
const paths = ['status', 'total', 'items.sku', 'items.quantity', 'tags', 'a-b', 'deep.x.y'] as const
const filter = fc.dictionary(fc.constantFrom(...paths), condition, { minKeys: 1, maxKeys: 3 })
const leaf = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }))
const object = fc.record(
  {
    status: leaf,
    total: leaf,
    tags: leaf,
    'a-b': leaf,
    items: fc.oneof(leaf, fc.array(fc.record({ sku: leaf, quantity: scalar }, { requiredKeys: [] }), { maxLength: 3 })),
    deep: fc.oneof(scalar, fc.record({ x: fc.record({ y: leaf }) })),
  },
  { requiredKeys: [] },
)
const types = ['package.created', 'package.status.packed', 'shipment.created'] as const
const pattern = fc.constantFrom(...types, '*', 'package.*', 'package.status.*', 'shipment.status.*')

test(
  'an event gets one delivery for each subscription of which a pattern matches and the filter holds',
  { timeout: 120_000 },
  async () => {
    const wanted = fc.record({
      eventTypes: fc.uniqueArray(pattern, { minLength: 1, maxLength: 3 }),
      filter: fc.option(filter),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(wanted, { minLength: 1, maxLength: 6 }),
        fc.array(fc.record({ type: fc.constantFrom(...types), object }), { minLength: 1, maxLength: 4 }),
        async (wantedOnes, events) => {
          await clear()
          const ids = await inTransaction(db, (tx) =>
            Promise.all(wantedOnes.map((one) => subscriptions.create(tx, { ...settings, ...one }))),
          )
          await inTransaction(db, (tx) =>
            outbox.append(
              tx,
              events.map(({ type, object: data }, index) => ({ ...packageCreated(index + 1), type, data }) as never),
            ),
          )
          const rows = await db
            .selectFrom('deliveries')
            .select(['subscriptionId', 'objectId'])
            .orderBy('subscriptionId')
            .orderBy('eventId')
            .execute()
          const expected = wantedOnes.flatMap((one, place) =>
            events.flatMap(({ type, object: data }, index) =>
              one.eventTypes.some((name) => matchesPattern(type, name)) &&
              (one.filter === null || fulfils(data, one.filter))
                ? [{ subscriptionId: ids[place], objectId: String(index + 1) }]
                : [],
            ),
          )
          const byId = (one: { subscriptionId?: number | undefined }, other: { subscriptionId?: number | undefined }) =>
            (one.subscriptionId ?? 0) - (other.subscriptionId ?? 0)
          expect(rows).toEqual(expected.toSorted(byId))
        },
      ),
      tries(100, 1_000),
    )
  },
)
