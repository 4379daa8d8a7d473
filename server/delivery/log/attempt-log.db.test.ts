import { sql } from 'kysely'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { makeDeliveries } from '#testing/make-deliveries.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { listAttempts } from './attempt-log.ts'

const { db } = await openTestDatabase()
const { subscribe } = makeDeliveries({ db, clock: makeFakeClock() })

/** The plan of the statement that `work` makes. */
const planOf = async (work: () => Promise<unknown>): Promise<string> => {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await work()
  const [text, values] = query.mock.calls.at(-1) as unknown as [string, unknown[]]
  query.mockRestore()
  const written = text.replaceAll(/\$(\d+)/g, (_, number) => `'${String(values[Number(number) - 1])}'`)
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${sql.raw(written)}`.execute(db)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

test.each([{ outcome: 'failed' }, { response_http_status: 404 }, { response_http_status__gte: '500' }])(
  'attempts with %j are found among many that arrived without looking at those',
  async (filter) => {
    const subscription = await subscribe()
    await sql`
      with made as (
        insert into deliveries (event_id, subscription_id, next_attempt_at, status)
        select 1, ${subscription}, now(), 'delivered' from generate_series(1, 5000) returning id
      )
      insert into attempts (delivery_id, number, started_at, outcome, response_status)
      select id, 1, now(), 'delivered', 200 from made`.execute(db)
    await sql`analyze deliveries, attempts`.execute(db)
    const plan = await planOf(() => listAttempts(db, subscription, { page: 1, limit: 10, ...filter }))
    // Once for the page, once for the count.
    expect(plan.match(/using attempts\w*_(outcome|response_status)_/g)).toHaveLength(2)
  },
)
