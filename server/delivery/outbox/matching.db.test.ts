import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { tries } from '#testing/is-everything-wanted.ts'
import { makeDeliveries, packageCreated, settings } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'

const { db } = await openTestDatabase()
const { outbox, subscriptions, clear } = makeDeliveries({ db, clock: systemClock })

const types = ['package.created', 'package.status.packed', 'shipment.created'] as const
const scopes = ['back-office', 'project:a', 'project:b'] as const

/** What may have become of a subscription before the events, and what that means for them. */
const fates = {
  active: 'pending',
  'switched off by its owner': null,
  'switched off for failing': 'held',
  'switched off as gone': 'held',
  'switched off with its owner': null,
  removed: null,
  'created in a transaction that failed': null,
} as const
type Fate = keyof typeof fates

const subscription = fc.record({
  scope: fc.constantFrom(...scopes),
  eventTypes: fc.uniqueArray(fc.constantFrom(...types), { minLength: 1 }),
  fate: fc.constantFrom(...(Object.keys(fates) as Fate[])),
})
const event = fc.record({ scope: fc.constantFrom(...scopes), type: fc.constantFrom(...types) })

const make = async (wanted: { scope: string; eventTypes: readonly string[]; fate: Fate }): Promise<number> => {
  let id = 0
  const creating = inTransaction(db, async (tx) => {
    id = await subscriptions.create(tx, {
      ...settings,
      ...wanted,
      isActive: wanted.fate !== 'switched off by its owner',
    })
    if (wanted.fate === 'created in a transaction that failed') throw new Error('no')
  })
  await creating.catch(() => undefined)
  const off = {
    'switched off for failing': 'failing',
    'switched off as gone': 'gone',
    'switched off with its owner': 'owner lost access',
  }
  if (wanted.fate in off) {
    const disabledReason = off[wanted.fate as keyof typeof off]
    await db.updateTable('subscriptions').set({ isActive: false, disabledReason }).where('id', '=', id).execute()
  }
  if (wanted.fate === 'removed') await inTransaction(db, (tx) => subscriptions.remove(tx, id))
  return id
}

test(
  'every event gets one delivery for each subscription that matches it, and no other',
  { timeout: 120_000 },
  async () => {
    const anyWorld = fc.asyncProperty(
      fc.array(subscription, { maxLength: 8 }),
      fc.array(event, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (wanted, events, perTransaction) => {
        await clear()
        const made = new Map<number, (typeof wanted)[number]>()
        for (const one of wanted) made.set(await make(one), one)
        for (let first = 0; first < events.length; first += perTransaction) {
          const some = events.slice(first, first + perTransaction)
          const raised = some.map(({ scope, type }, index) => ({ ...packageCreated(first + index + 1), scope, type }))
          await inTransaction(db, (tx) => outbox.append(tx, raised as ReturnType<typeof packageCreated>[]))
        }
        const expected = events.flatMap(({ scope, type }, index) =>
          [...made]
            .filter(([, one]) => one.scope === scope && one.eventTypes.includes(type) && fates[one.fate] !== null)
            .map(([id, { fate }]) => `${index + 1} → ${id} ${fates[fate]}`),
        )
        const rows = await db
          .selectFrom('deliveries')
          .innerJoin('events', 'events.id', 'deliveries.eventId')
          .select(['events.objectId', 'deliveries.subscriptionId', 'deliveries.status'])
          .execute()
        const stored = rows.map(({ objectId, subscriptionId, status }) => `${objectId} → ${subscriptionId} ${status}`)
        expect(stored.toSorted()).toEqual(expected.toSorted())
      },
    )
    await expect(fc.assert(anyWorld, tries(20, 60))).resolves.toBeUndefined()
  },
)
