import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeDatabaseClock, type TimeSources } from './database-clock.ts'

const { db } = await openTestDatabase()
const log = pino({ level: 'silent' })

test('the clock follows the database between two measurements', async () => {
  const clock = makeDatabaseClock(db, log)
  await clock.start()
  for (let reading = 0; reading < 5; reading++) {
    await sleep(20)
    const before = clock.now().getTime()
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
    const after = clock.now().getTime()
    expect(rows[0]?.now.getTime()).toBeGreaterThanOrEqual(before - 1_000)
    expect(rows[0]?.now.getTime()).toBeLessThanOrEqual(after + 1_000)
  }
  await clock.stop()
})

test('agrees with the database when the machine is hours wrong', async () => {
  const sources: TimeSources = {
    monotonic: () => performance.now(),
    wall: () => Date.now() - 7_200_000,
    database: async () => {
      const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
      return rows[0]?.now.getTime() ?? 0
    },
  }
  const [one, other] = [makeDatabaseClock(db, log, sources), makeDatabaseClock(db, log)]
  await one.start()
  await other.start()
  expect(Math.abs(one.now().getTime() - other.now().getTime())).toBeLessThan(1_000)
  await one.stop()
  await other.stop()
})
