import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeWritten } from './written.ts'

const database = await openTestDatabase()
const log = pino({ level: 'silent' })

/** A process that tells of attempts, and what it heard. */
const startProcess = async () => {
  const written = makeWritten(database, log)
  const heard: number[] = []
  let gaps = 0
  const stop = await written.listen(
    (ids) => void heard.push(...ids),
    () => {
      gaps += 1
    },
  )
  return { written, heard, stop, gaps: () => gaps }
}

test('what a process has written is heard in it at once, and once', async () => {
  const { written, heard, stop } = await startProcess()
  written([1, 2])
  expect(heard).toEqual([1, 2])
  await sleep(300)
  expect(heard).toEqual([1, 2])
  await stop()
  written([3])
  expect(heard).toEqual([1, 2])
  await written.stop()
})

describe.runIf(process.env['TEST_ENGINE'] === 'postgres')('in other processes', () => {
  test('it is heard soon, however much it is, and what is told last is still sent', async () => {
    const [one, two] = [await startProcess(), await startProcess()]
    const ids = Array.from({ length: 1_500 }, (_, index) => Number.MAX_SAFE_INTEGER - index)
    one.written(ids)
    await one.written.stop()
    await eventually(() => expect(two.heard).toEqual(ids))
    await Promise.all([one.stop(), two.stop()])
  })

  test('a process whose connection was lost says that something may have been missed', async () => {
    const { stop, gaps, heard } = await startProcess()
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query = 'listen "waybill_written"'`.execute(database.db)
    await eventually(() => expect(gaps()).toBe(1))
    const other = makeWritten(database, log)
    other([7])
    await eventually(() => expect(heard).toEqual([7]))
    await other.stop()
    await stop()
  })
})
