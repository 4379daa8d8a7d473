import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestDatabase } from '#testing/open-test-database.ts'
import type { Tx } from './database.ts'
import { afterCommit, inTransaction } from './transaction.ts'

const { db } = await openTestDatabase()
await sql`create table counters (id integer primary key, n integer not null)`.execute(db)
await sql`insert into counters values (1, 0), (2, 0)`.execute(db)

const add = (tx: Tx, id: number) => sql`update counters set n = n + 1 where id = ${id}`.execute(tx)
const total = async (): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select sum(n) as n from counters`.execute(db)
  return rows[0]?.n ?? 0
}

describe('a transaction', () => {
  test('runs its hooks after the commit, in order', async () => {
    const seen: string[] = []
    await inTransaction(db, async (tx) => {
      afterCommit(tx, () => seen.push('first'))
      afterCommit(tx, () => seen.push('second'))
      await add(tx, 1)
      seen.push('work')
    })
    expect(seen).toEqual(['work', 'first', 'second'])
  })

  test('runs no hook when it rolls back, and leaves nothing', async () => {
    const before = await total()
    const seen: string[] = []
    const work = inTransaction(db, async (tx) => {
      afterCommit(tx, () => seen.push('hook'))
      await add(tx, 1)
      throw new Error('changed my mind')
    })
    await expect(work).rejects.toThrow('changed my mind')
    expect(seen).toEqual([])
    expect(await total()).toBe(before)
  })

  test('is run again when the database gives it up for a deadlock', async () => {
    const before = await total()
    // Each takes the other's row second. On the embedded engine they simply take turns.
    const crossing = async (first: number, second: number) =>
      inTransaction(db, async (tx) => {
        // Otherwise it looks for a deadlock after a second.
        await sql`set local deadlock_timeout = '20ms'`.execute(tx)
        await add(tx, first)
        await sql`select pg_sleep(0.05)`.execute(tx)
        await add(tx, second)
      })
    // More of them could lose to each other as often as there are tries.
    await Promise.all([crossing(1, 2), crossing(2, 1)])
    expect(await total()).toBe(before + 4)
  })

  test('takes no statement after its end, so that those asked together with a refused one leave nothing', async () => {
    const before = await total()
    const late: Promise<unknown>[] = []
    const work = inTransaction(db, async (tx) => {
      const refused = (async () => {
        await add(tx, 1)
        throw new Error('refused')
      })()
      late.push(...[1, 2, 1, 2].map((id) => add(tx, id)))
      await Promise.all([refused, ...late])
    })
    await expect(work).rejects.toThrow('refused')
    const ends = await Promise.allSettled(late)
    expect(ends.at(-1)).toMatchObject({ status: 'rejected' })
    expect(await total()).toBe(before)
  })

  test('that fails before it has a connection gives that back', async () => {
    for (let time = 0; time < 20; time++) {
      const work = inTransaction(db, async (tx) => {
        await Promise.all([add(tx, 1), Promise.reject(new Error('refused'))])
      })
      await expect(work).rejects.toThrow('refused')
    }
    expect(await inTransaction(db, async (tx) => add(tx, 1))).toMatchObject({ numAffectedRows: 1n })
  })

  test('a hook without a transaction of its own is refused', () => {
    expect(() => afterCommit({} as Tx, () => undefined)).toThrow(/inTransaction/)
  })
})
