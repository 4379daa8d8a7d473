import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { inTransaction } from '../db/transaction.ts'
import { resealColumn } from './reseal.ts'
import { makeVault } from './vault.ts'

const { db } = await openTestDatabase()
const column = { table: 'resealed', column: 'sealed' }
const oldKey = 'the old key of at least 32 characters'
const newKey = 'the new key of at least 32 characters'
const before = makeVault(oldKey)
const vault = makeVault(newKey, [oldKey])
const after = makeVault(newKey)

await sql`create table resealed (id integer primary key, sealed text, note text)`.execute(db)
beforeEach(() => sql`truncate resealed`.execute(db))

const store = (sealed: readonly (string | null)[]) =>
  sql`insert into resealed select number, text, '' from unnest(${sealed}::text[]) with ordinality as given(text, number)`.execute(
    db,
  )
const stored = async (): Promise<(string | null)[]> => {
  const { rows } = await sql<{ sealed: string | null }>`select sealed from resealed order by id`.execute(db)
  return rows.map(({ sealed }) => sealed)
}
const many = (count: number): string[] => Array.from({ length: count }, (_, index) => before.seal(`text ${index}`))

describe('sealing a column again', () => {
  test('leaves nothing that needs the old key, and the texts as they were', async () => {
    // More than as many batches as there are passes.
    const texts = many(1_100)
    await store(texts)
    expect(await resealColumn(db, vault, column)).toEqual({ done: 1_100, left: 0, unknown: 0 })
    expect((await stored()).map((sealed) => after.open(sealed ?? ''))).toEqual(texts.map((text) => before.open(text)))
  })

  test('touches neither what the new key sealed nor what is empty', async () => {
    const sealed = vault.seal('text')
    await store([sealed, null])
    expect(await resealColumn(db, vault, column)).toEqual({ done: 0, left: 0, unknown: 0 })
    expect(await stored()).toEqual([sealed, null])
  })

  test('that was killed between two batches goes on where it stopped', async () => {
    await store(many(450))
    await expect(resealColumn(failingAfter(1), vault, column)).rejects.toThrow('killed')
    const halfway = (await stored()).filter((sealed) => sealed?.startsWith(vault.mark) === true).length
    expect(halfway).toBe(200)
    expect(await resealColumn(db, vault, column)).toEqual({ done: 250, left: 0, unknown: 0 })
    expect((await stored()).map((sealed) => after.open(sealed ?? ''))).toHaveLength(450)
  })

  test('leaves what is damaged or of an unknown key as it is, and says how much that is', async () => {
    // The first character of the ciphertext, because the last one has bits that decoding leaves out.
    const damaged = before.seal('text').replace(/[^.](?=[^.]*$)/, (first) => (first === 'A' ? 'B' : 'A'))
    const foreign = makeVault('a third key, of another installation').seal('text')
    await store([before.seal('text'), damaged, foreign])
    expect(await resealColumn(db, vault, column)).toEqual({ done: 1, left: 1, unknown: 1 })
    expect((await stored()).slice(1)).toEqual([damaged, foreign])
  })

  test('without an earlier key changes nothing', async () => {
    await store([before.seal('text')])
    expect(await resealColumn(db, after, column)).toEqual({ done: 0, left: 0, unknown: 1 })
  })

  // On the embedded database there is never a second transaction open.
  test.runIf(process.env['TEST_ENGINE'] === 'postgres')(
    'waits for a change that is under way, and does not overwrite it',
    async () => {
      await store(many(3))
      const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
      const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
      const change = inTransaction(db, async (tx) => {
        await sql`update resealed set sealed = ${before.seal('changed')} where id = 2`.execute(tx)
        held()
        await mayCommit
      })
      await isHeld
      const resealing = resealColumn(db, vault, column)
      setTimeout(commit, 100)
      await change
      expect(await resealing).toEqual({ done: 3, left: 0, unknown: 0 })
      expect((await stored()).map((sealed) => after.open(sealed ?? ''))).toEqual(['text 0', 'changed', 'text 2'])
    },
  )

  test('while other columns of the same rows change loses neither', async () => {
    await store(many(300))
    const notes = Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        sql`update resealed set note = 'kept' where id = ${index + 1}`.execute(db),
      ),
    )
    const [result] = await Promise.all([resealColumn(db, vault, column), notes])
    expect(result).toEqual({ done: 300, left: 0, unknown: 0 })
    const { rows } = await sql<{ notes: number }>`select count(*) as notes from resealed where note = 'kept'`.execute(
      db,
    )
    expect(rows).toEqual([{ notes: 300 }])
  })
})

/** The database, as if the process were killed after so many transactions. */
const failingAfter = (transactions: number): typeof db => {
  let begun = 0
  return new Proxy(db, {
    get(target, name) {
      if (name === 'transaction' && ++begun > transactions) throw new Error('killed')
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
