import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeWake, type Wake } from './wake.ts'

const database = await openTestDatabase()
const onPostgres = process.env['TEST_ENGINE'] === 'postgres'
const log = pino({ level: 'silent' })
const started: Wake[] = []

/** A process with its own wake, and what it heard. */
const startProcess = async () => {
  const wake = makeWake(database, log)
  const heard: (readonly number[] | null)[] = []
  wake.onWake((ids) => heard.push(ids))
  await wake.start()
  started.push(wake)
  return { wake, heard }
}
afterEach(async () => {
  for (const wake of started.splice(0)) await wake.stop()
})

test('a wake is heard in its own process at once, and once', async () => {
  const { wake, heard } = await startProcess()
  wake([1, 2])
  expect(heard).toEqual([[1, 2]])
  await sleep(100)
  expect(heard).toHaveLength(1)
})

describe.runIf(onPostgres)('in other processes', () => {
  test('a wake is heard soon, several of one moment as one', async () => {
    const [one, two, three] = [await startProcess(), await startProcess(), await startProcess()]
    one.wake([1, 2])
    one.wake([2, 3])
    await eventually(() => expect([two.heard, three.heard]).toEqual([[[1, 2, 3]], [[1, 2, 3]]]))
    expect(one.heard).toHaveLength(2)
    two.wake([9])
    await eventually(() => expect([one.heard.at(-1), three.heard.at(-1)]).toEqual([[9], [9]]))
  })

  test('a wake of more subscriptions than a notification can name means: any', async () => {
    const [one, two] = [await startProcess(), await startProcess()]
    const ids = Array.from({ length: 501 }, (_, index) => Number.MAX_SAFE_INTEGER - index)
    one.wake(ids.slice(0, 400))
    await eventually(() => expect(two.heard.at(-1)).toHaveLength(400))
    one.wake(ids)
    await eventually(() => expect(two.heard.at(-1)).toBeNull())
  })

  test('a wake just before the end is still sent', async () => {
    const [one, two] = [await startProcess(), await startProcess()]
    one.wake([5])
    await one.wake.stop()
    await eventually(() => expect(two.heard).toEqual([[5]]))
  })

  test('a listener whose connection broke listens again', async () => {
    const [one, two] = [await startProcess(), await startProcess()]
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and query ilike 'listen%'`.execute(database.db)
    await vi.waitFor(
      async () => {
        one.wake([7])
        await sleep(50)
        expect(two.heard.at(-1)).toEqual([7])
      },
      { timeout: 5_000, interval: 100 },
    )
  })
})
