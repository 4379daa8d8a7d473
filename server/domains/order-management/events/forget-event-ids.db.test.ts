import { makeOutbox } from '#delivery/outbox/outbox.ts'
import { hourMs, systemClock } from '#platform/clock.ts'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { packageCreated } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { forgetEventIds } from './store.ts'

const { db } = await openTestDatabase()
const oldest = new Date('2026-08-03T12:00:00Z')

beforeEach(async () => {
  await db.deleteFrom('events').execute()
  await db.deleteFrom('externalEvents').execute()
})

const keep = (moment: Date) =>
  sql`insert into events (id, scope, type, occurred_at, body) values (time_id_floor(${moment}), 's', 't', ${moment}, '{}')`.execute(
    db,
  )
const remember = (hoursBefore: number, count = 1) =>
  sql`insert into external_events (user_id, id, content_hash, accepted_at)
      select 1, ${hoursBefore}::float8 || ' ' || number, 'x', ${new Date(oldest.getTime() - hoursBefore * hourMs)}
      from generate_series(1, ${count}::int) number`.execute(db)
const remembered = async () =>
  (await db.selectFrom('externalEvents').select('id').orderBy('id').execute()).map(({ id }) => id)

test('ids are remembered as long as the events of their time are kept', async () => {
  await keep(oldest)
  await keep(new Date(oldest.getTime() + 86_400_000))
  await remember(-48)
  await remember(0)
  await remember(0.5)
  await remember(2)
  await remember(2_000)
  expect(await forgetEventIds(db)).toBe(2)
  expect(await remembered()).toEqual(['-48 1', '0 1', '0.5 1'])
})

test('none is forgotten while no event is kept', async () => {
  await remember(2_000)
  expect(await forgetEventIds(db)).toBe(0)
})

test('many are forgotten as well, and can be used again', async () => {
  await keep(oldest)
  await remember(24, 12_001)
  await remember(0, 3)
  const outbox = makeOutbox({ clock: systemClock, wake: () => undefined })
  const arrival = { userId: 1, id: '24 7', contentHash: 'y', event: packageCreated(1) }
  const take = () => inTransaction(db, (tx) => outbox.accept(tx, [arrival]))
  expect(await take()).toEqual(['id_reused'])
  expect(await forgetEventIds(db)).toBe(12_001)
  expect(await remembered()).toHaveLength(3)
  expect(await take()).toEqual(['accepted'])
})

test('two processes that forget at once do not stand in each other’s way', async () => {
  await keep(oldest)
  await remember(24, 6_000)
  const counts = await Promise.all([forgetEventIds(db), forgetEventIds(db)])
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(6_000)
  expect(await remembered()).toEqual([])
})
