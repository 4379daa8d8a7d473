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
        await add(tx, first)
        await sql`select pg_sleep(0.05)`.execute(tx)
        await add(tx, second)
      })
    await Promise.all([crossing(1, 2), crossing(2, 1), crossing(1, 2), crossing(2, 1)])
    expect(await total()).toBe(before + 8)
  })

  test('a hook without a transaction of its own is refused', () => {
    expect(() => afterCommit({} as Tx, () => undefined)).toThrow(/inTransaction/)
  })
})
