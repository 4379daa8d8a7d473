import { afterEach, expect, test, vi } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeDeliveries, packageCreated, settings } from '#testing/make-deliveries.ts'
import { makeTestEngine } from '#testing/make-test-engine.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeReceiver } from '#testing/receiver.ts'

const database = await openTestDatabase()
const { db } = database
const { clear } = makeDeliveries({ db, clock: systemClock })
const receiver = await makeReceiver()
const engine = await makeTestEngine(database, { maxAttempts: 1 })
afterEach(() => engine.stop())

test('a receiver that repeats the path it was called at does not bring that into the log', async () => {
  await clear()
  receiver.answer(({ path }) => ({ status: 404, headers: { location: path }, body: `Cannot POST ${path}` }))
  await engine.start()
  await inTransaction(db, async (tx) => {
    const url = `${receiver.url}/hooks/PATH-SECRET-1?k=QUERY-SECRET`
    await engine.subscriptions.create(tx, { ...settings, url })
    await engine.outbox.append(tx, [packageCreated(1)])
  })
  const attempts = await vi.waitFor(
    async () => {
      const rows = await db.selectFrom('attempts').selectAll().execute()
      expect(rows).toHaveLength(1)
      return rows
    },
    { timeout: 10_000 },
  )
  expect(attempts).toMatchObject([{ responseStatus: 404, responseBody: 'Cannot POST ********' }])
  expect(JSON.stringify(attempts)).not.toContain('SECRET')
})
