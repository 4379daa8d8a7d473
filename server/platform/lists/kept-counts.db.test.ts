import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { inTransaction } from '../db/transaction.ts'
import { foldListCounts, keptCount } from './kept-counts.ts'

const { db } = await openTestDatabase()
await sql`create table things (id bigint primary key, kind text not null, owner bigint, is_new boolean not null)`.execute(
  db,
)
await sql`insert into things select n, 'old', n % 2, false from generate_series(1, 5) as n`.execute(db)
await sql`call keep_list_counts('things', array['kind', 'owner', 'is_new'])`.execute(db)

const kept = async (column?: string, ...values: string[]): Promise<number | undefined> => {
  const { rows } = await sql<{ count: number }>`select ${keptCount('things', column, values)} as count`.execute(db)
  return rows[0]?.count
}
const counts = async () => [
  await kept(),
  await kept('kind', 'old'),
  await kept('kind', 'new', 'none'),
  await kept('owner', '1'),
  await kept('is_new', 'true'),
]

test('counts follow every change of the rows, and stay what they are when they are added up', async () => {
  expect(await counts()).toEqual([5, 5, 0, 3, 0])
  await sql`insert into things values (6, 'new', null, true), (7, 'new', 1, true)`.execute(db)
  expect(await counts()).toEqual([7, 5, 2, 4, 2])
  await sql`update things set kind = 'new', is_new = id = 1 where id <= 2 or id = 6`.execute(db)
  expect(await counts()).toEqual([7, 3, 4, 4, 2])
  await sql`delete from things where id in (1, 3, 7)`.execute(db)
  expect(await counts()).toEqual([4, 2, 2, 1, 0])
  await foldListCounts(db)
  expect(await counts()).toEqual([4, 2, 2, 1, 0])
  const { rows } = await sql`select from list_counts where list = 'things' and backend <> 0`.execute(db)
  expect(rows).toEqual([])
  await inTransaction(db, async (tx) => {
    await sql`delete from things`.execute(tx)
    throw new Error('given up')
  }).catch(() => undefined)
  expect(await counts()).toEqual([4, 2, 2, 1, 0])
})
