import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeApprovedQuotations } from '#testing/data/make-approved-quotations.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { beginningOf, pageByBlocks, pageNearEnd, type Window } from './list-page-store.ts'

const { db } = await openTestDatabase()
const { quotation } = makeApprovedQuotations(db)

// Far apart: no two are in the same block of ids, and not all are near one end.
const ids: number[] = []
for (let number = 1; number <= 10; number++) {
  await sql`select setval(pg_get_serial_sequence('quotations', 'id'), ${number * 3_000})`.execute(db)
  ids.push((await quotation({ status: number < 4 ? 'expired' : 'pending' })).id)
  // Two in one block.
  if (number === 5) ids.push((await quotation()).id)
}

const fits = sql<boolean>`strpos(folded_name, 'spring') > 0`
const orders = [
  ['asc', ids],
  ['desc', ids.toReversed()],
] as const
const windowOf = (direction: Window['direction'], offset: number, limit: number): Window => {
  return { order: sql`id`, direction, offset, limit }
}
const idsOf = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id)

test.each(orders)('any page is found by blocks, %s', async (direction, expected) => {
  for (const limit of [1, 3, 20])
    for (let offset = 0; offset <= ids.length; offset++) {
      const { count, rows } = await pageByBlocks(db, fits, windowOf(direction, offset, limit))
      expect([count, idsOf(rows)]).toEqual([ids.length, expected.slice(offset, offset + limit)])
    }
})

test.each(orders)('a page is found near the end only when all of it is there, %s', async (direction, expected) => {
  const near = await pageNearEnd(db, fits, windowOf(direction, 0, 1))
  expect(idsOf(near ?? [])).toEqual(expected.slice(0, 1))
  // The next one is 3,000 ids away.
  expect(await pageNearEnd(db, fits, windowOf(direction, 0, 2))).toBeUndefined()
})

test('a list begins with the first row that has one of the values, and leaves out none', async () => {
  const from = async (status: readonly string[], direction: Window['direction']): Promise<number[]> => {
    const beginning = beginningOf('status', sql`${status}::text[]`, direction)
    const { rows } = await sql<{ id: number }>`select id from quotations where ${beginning} order by id`.execute(db)
    return idsOf(rows)
  }
  expect(await from(['expired'], 'desc')).toEqual(ids.slice(0, 3))
  expect(await from(['pending'], 'asc')).toEqual(ids.slice(3))
  expect(await from(['pending', 'expired'], 'asc')).toEqual(ids)
  expect(await from(['draft'], 'desc')).toEqual([])
})
