import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { countStatements } from '#testing/count-statements.ts'
import { eventually } from '#testing/eventually.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { preparedName } from '../prepared.ts'
import { inTransaction } from '../transaction.ts'

const { db, engine } = await openTestDatabase()

const backend = sql<number>`pg_backend_pid()`.as('backend')
const quotient = (divisor: number) => db.selectNoFrom(sql<number>`12 / ${divisor}::integer`.as('quotient')).execute()

test('selects that come together share at most two connections', async () => {
  const found = await Promise.all(Array.from({ length: 30 }, () => db.selectNoFrom(backend).execute()))
  expect(new Set(found.flat().map((row) => row.backend)).size).toBeLessThanOrEqual(2)
})

test('each of the selects that are sent together gets its own rows or its own error', async () => {
  const answers = await Promise.allSettled([1, 0, 3, 4].map(quotient))
  expect(answers).toEqual([
    { status: 'fulfilled', value: [{ quotient: 12 }] },
    { status: 'rejected', reason: expect.objectContaining({ code: '22012' }) },
    { status: 'fulfilled', value: [{ quotient: 4 }] },
    { status: 'fulfilled', value: [{ quotient: 3 }] },
  ])
})

/** Takes as long as `work` in `whileLocked`: whoever waits for it meanwhile waits for ever. */
const locked = sql`pg_advisory_xact_lock_shared(7)`
const whileLocked = <T>(work: () => Promise<T>): Promise<T> =>
  inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(7)`.execute(tx)
    return work()
  })
/** Has a select take so long that nobody can think it quick. @returns how it ended. */
const takeLong = async (select: () => Promise<unknown>): Promise<PromiseSettledResult<unknown> | undefined> => {
  let ended: Promise<readonly PromiseSettledResult<unknown>[]> | undefined
  await whileLocked(async () => {
    ended = Promise.allSettled([select()])
    await setTimeout(100)
  })
  return (await ended)?.[0]
}

test.skipIf(engine === 'pglite')('a select that took long is not sent together with others any more', async () => {
  const long = () => db.selectNoFrom(locked.as('waited')).execute()
  await takeLong(long)
  const ends: Promise<unknown>[] = []
  const short = await whileLocked(() => {
    ends.push(long())
    return Promise.all([1, 2, 3].map(quotient))
  })
  expect(short).toHaveLength(3)
  await Promise.all(ends)
})

test.skipIf(engine === 'pglite')(
  'a select that took long once is sent with others again once it was quick',
  async () => {
    const after = (seconds: number) =>
      db
        .selectNoFrom(backend)
        .where(sql<boolean>`pg_sleep(${seconds})::text = ''`)
        .execute()
    await after(0.05)
    // On a busy machine it takes some tries to be quick.
    await eventually(async () => {
      await after(0)
      const found = await Promise.all(Array.from({ length: 30 }, () => after(0)))
      expect(new Set(found.flat().map((row) => row.backend)).size).toBeLessThanOrEqual(2)
    })
  },
)

test.skipIf(engine === 'pglite')(
  'a select that failed after long is not sent together with others any more',
  async () => {
    const failing = () => db.selectNoFrom(sql`1 / length(${locked}::text)`.as('failed')).execute()
    await takeLong(failing)
    const ends: Promise<unknown>[] = []
    await whileLocked(() => {
      ends.push(failing().catch((error: unknown) => error))
      return quotient(2)
    })
    expect(await Promise.all(ends)).toMatchObject([{ code: '22012' }])
  },
)

test.skipIf(engine === 'pglite')('selects that come later do not wait for long ones', async () => {
  const ends: Promise<unknown>[] = []
  await whileLocked(async () => {
    for (const batch of [1, 2]) {
      ends.push(db.selectNoFrom([locked.as('waited'), sql.lit(batch).as('batch')]).execute())
      // So that the next one is in another batch.
      await setTimeout(5)
    }
    expect(await quotient(1)).toEqual([{ quotient: 12 }])
  })
  await Promise.all(ends)
})

test('a transaction is begun with its first statement, and one without statements is none', async () => {
  expect(await countStatements(() => inTransaction(db, async () => undefined))).toBe(0)
  expect(await countStatements(() => inTransaction(db, async (tx) => tx.selectNoFrom(backend).execute()))).toBe(3)
})

test('a query that comes again and again is prepared, unless its plan should follow its values', async () => {
  const all = db.selectFrom('users').select('id')
  const queries = [
    all,
    all.limit(sql.lit(10)),
    all.where('id', '=', 1),
    all.where('id', '=', 1).limit(10),
    db.selectFrom('users').selectAll(),
  ]
  for (let use = 1; use <= 5; use++) for (const query of queries) await query.execute()
  expect(queries.map((query) => preparedName(query.compile().sql) !== undefined)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
})

test('what answers all columns is still answered after another process has added one', async () => {
  await sql`create table growing (kind text not null)`.execute(db)
  const insert = () =>
    db
      .insertInto('growing' as 'users')
      .values({ kind: 'new' } as never)
      .returningAll()
      .execute()
  for (let use = 1; use <= 6; use++) await insert()
  await sql`alter table growing add column size integer`.execute(db)
  expect(await insert()).toEqual([{ kind: 'new', size: null }])
})
