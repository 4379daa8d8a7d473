import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { contentTypes } from '#events/content-types.ts'
import { systemClock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeCreateReport, makeCreateReports } from './create-reports.ts'
import { reportOf, type NewReport } from './new-report.ts'

const { db } = await openTestDatabase()

let made = 0
const report = (fields: object = {}): NewReport => {
  made += 1
  return reportOf({
    action_content_type: contentTypes.product,
    action_object_id: made,
    obj_modified_date: '2026-11-21 09:30:00',
    error_code: `E${made}`,
    error_desc: made % 2 === 0 ? 'Even' : 'Odd',
    is_ok: made % 4 === 0,
    ...fields,
  })
}
/** Creation as the routes have it. */
const makeWriter = (on: Db) => {
  return makeCreateReport(on, makeCreateReports({ clock: systemClock }))
}
/** A database that fails once, when it has answered so many statements. */
const failingAfter = (answers: number) => {
  let left = answers
  const failing = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      left -= 1
      if (left === -1) throw new Error('the connection is gone')
      return result
    },
  })
  return { failing, hasFailed: () => left < 0 }
}

/** What is wrong with the counts: of lists, of groups, of open reports. */
const wrong = async (): Promise<unknown[]> => {
  const { rows } = await sql`
    with truth as (
      select 0::bigint as group_id, '-infinity'::date as day, bucket_id, count(*) as count from error_reports group by bucket_id
      union all
      select 0, (created_at at time zone 'UTC')::date, bucket_id, count(*) from error_reports group by 2, bucket_id
      union all
      select group_id, '-infinity', bucket_id, count(*) from error_reports where group_id is not null group by 1, bucket_id),
    kept as (select group_id, day, bucket_id, count from error_report_counts),
    groups as (
      select grp.id, grp.count, grp.open_count from error_report_groups grp
      where (grp.count, grp.open_count) <> (
        select count(*), count(*) filter (where not is_ok) from error_reports where group_id = grp.id))
    (select * from truth except select * from kept) union all (select * from kept except select * from truth)
    union all select id, null, null, count from groups`.execute(db)
  return rows
}
const rowsOf = async (sent: readonly NewReport[]): Promise<number> => {
  const hashes = sent.map(({ bodyHash }) => bodyHash)
  return (await db.selectFrom('errorReports').select('id').where('bodyHash', 'in', hashes).execute()).length
}

test('a batch that breaks between any two of its statements leaves nothing of itself', async () => {
  let points = 0
  for (let answers = 0; ; answers++) {
    const sent = [report(), report(), report({ is_ok: true }), report()]
    const { failing, hasFailed } = failingAfter(answers)
    const create = makeCreateReports({ clock: systemClock })
    const [outcome] = await Promise.allSettled([inTransaction(failing, (tx) => create(tx, sent))])
    expect(await wrong()).toEqual([])
    expect(await rowsOf(sent)).toBe(outcome?.status === 'fulfilled' ? sent.length : 0)
    if (!hasFailed()) break
    points += 1
  }
  expect(points).toBeGreaterThan(3)
})

test('each report of a batch that broke is written alone, once', async () => {
  const { failing, hasFailed } = failingAfter(3)
  const sent = [report(), report(), report({ is_ok: true }), report()]
  const write = makeWriter(failing)
  const outcomes = await Promise.all(sent.map((one) => write(one)))
  expect(hasFailed()).toBe(true)
  expect(outcomes.map(({ kind }) => kind)).toEqual(sent.map(() => 'created'))
  expect(await rowsOf(sent)).toBe(sent.length)
  expect(await wrong()).toEqual([])
})

test('a report that the database refuses fails alone', async () => {
  // Larger than its column: nothing that a request may say, as the routes check that.
  const sent = [report(), { ...report(), actionContentType: 2 ** 40 }, report()]
  const write = makeWriter(db)
  const outcomes = await Promise.allSettled(sent.map((one) => write(one)))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await rowsOf(sent)).toBe(2)
  expect(await wrong()).toEqual([])
})
