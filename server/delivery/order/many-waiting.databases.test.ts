import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { isEverythingWanted } from '#testing/is-everything-wanted.ts'
import { endOf, makeDeliveries } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { claim } from '../queue/claim.ts'
import { finish } from '../queue/finish.ts'
import { releaseEnded } from './release-ended.ts'

const { db } = await openTestDatabase()
// It stands still: the lease of the one that fails lasts, however long the others take to be made.
const clock = makeFakeClock(new Date())
const { subscribe, raise } = makeDeliveries({ db, clock })
const many = isEverythingWanted ? 1_000_000 : 20_000

/** Pages of deliveries, their indexes and queues that this connection's statements have read. */
const pagesRead = async (work: () => Promise<unknown>): Promise<number> => {
  const count = async () => {
    await sql`select pg_stat_force_next_flush()`.execute(db)
    const { rows } = await sql<{ pages: number }>`
      select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read, 0) + coalesce(idx_blks_hit, 0))::integer as pages
      from pg_statio_all_tables where relname like 'deliveries%' or relname = 'object_queues'`.execute(db)
    return rows[0]?.pages ?? 0
  }
  const before = await count()
  await work()
  return (await count()) - before
}

test(
  'many deliveries behind one that fails cost the others nothing, and each other one probe of an index',
  { timeout: 600_000 },
  async () => {
    const subscriptionId = await subscribe({ order: 'object' })
    await raise(1)
    await raise(1)
    const round = async () => {
      await raise(2)
      const claims = await claim(db, clock.now(), [{ subscriptionId, lane: 0, limit: 10 }])
      await finish(
        db,
        claims.map((claimed) => endOf(claimed, clock.now())),
      )
      await inTransaction(db, (tx) => releaseEnded(tx, clock.now()))
      return claims.length
    }
    const [head] = await claim(db, clock.now(), [{ subscriptionId, lane: 0, limit: 10 }])
    if (head === undefined) throw new Error('Nothing was due.')
    expect(await round()).toBe(1)
    const before = await pagesRead(round)
    // A statement has 30 s.
    for (let made = 0; made < many; made += 20_000)
      await sql`
        insert into deliveries
        select (jsonb_populate_record(one, jsonb_build_object(
          'id', last + n, 'event_id', event_id + ${made}::bigint + n, 'sequence', sequence + ${made}::bigint + n))).*
        from deliveries one, (select max(id) as last from deliveries) newest, generate_series(1, 20000) n
        where status = 'waiting' and sequence = 2`.execute(db)
    await sql`analyze deliveries`.execute(db)
    expect(await round()).toBe(1)
    const after = await pagesRead(round)
    // An index of a million entries is a page or two deeper, for each of its weeks.
    expect(after).toBeLessThan(before * 2 + 60)

    await finish(db, [endOf(head, clock.now(), { status: 'failed' })])
    const released = await pagesRead(async () => {
      expect(await inTransaction(db, (tx) => releaseEnded(tx, clock.now()))).toHaveLength(1)
    })
    expect(released).toBeLessThan(before * 2 + 60)
    const { rows } = await sql`select sequence from deliveries where is_head and object_id = '1'`.execute(db)
    expect(rows).toEqual([{ sequence: 2 }])
  },
)
