import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { contentTypes } from '#events/content-types.ts'
import { dayMs, systemClock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeCreateReports } from '../reports/create-reports.ts'
import { reportOf } from '../reports/new-report.ts'
import { removeOld, type RetentionDeps } from './remove-old.ts'

const { db } = await openTestDatabase()
const create = makeCreateReports({ clock: systemClock })
const never = new AbortController().signal

/** What time it is in these tests: a little before it really is, so that the database agrees. */
const now = new Date(Date.now() - 60_000)
const ago = (days: number, ms = 0): Date => new Date(now.getTime() - days * dayMs + ms)
const silent = pino({ level: 'silent' })
const run = (fields: Partial<RetentionDeps> = {}, signal = never): Promise<void> =>
  removeOld(
    { db, clock: { now: () => now }, log: silent, keepDays: { succeeded: 14, resolved: 90 }, ...fields },
    signal,
  )

let made = 0
interface Life {
  /** When it was made. */
  readonly at: Date
  readonly cause?: string
  readonly isOk?: boolean
  readonly resolvedAt?: Date
}
/** Reports that were made and resolved at these times. @returns their ids. */
const have = async (lives: readonly Life[]): Promise<number[]> => {
  const ids: number[] = []
  for (const { at, cause = 'cause', isOk = false, resolvedAt } of lives) {
    made += 1
    const sent = reportOf({
      action_content_type: contentTypes.product,
      action_object_id: made,
      obj_modified_date: '2026-11-21 09:30:00',
      error_code: 'custom',
      error_desc: cause,
      is_ok: isOk,
    })
    const [outcome] = await inTransaction(db, (tx) => create(tx, [sent]))
    const id = outcome?.kind === 'created' ? outcome.report.id : 0
    ids.push(id)
    await sql`
      with moved as (
        update error_reports set created_at = ${at},
          is_ok = is_ok or ${resolvedAt !== undefined}, resolved_at = ${resolvedAt ?? null}::timestamptz
        where id = ${id} returning group_id, is_ok)
      update error_report_groups set
        open_count = open_count - moved.is_ok::int,
        state = case when open_count = moved.is_ok::int then 'resolved' else state end,
        resolved_at = case when open_count = moved.is_ok::int then ${resolvedAt ?? null}::timestamptz else resolved_at end
      from moved where id = moved.group_id`.execute(db)
  }
  // Only here reports leave their day without being removed.
  await sql`delete from error_report_counts where count = 0`.execute(db)
  return ids
}

/** The counts as they are by definition. */
const counted = sql`
  select 0::bigint as group_id, '-infinity'::date as day, bucket_id, count(*) as count from error_reports group by bucket_id
  union all
  select 0, (created_at at time zone 'UTC')::date, bucket_id, count(*) from error_reports group by 2, bucket_id
  union all
  select group_id, '-infinity', bucket_id, count(*) from error_reports where group_id is not null group by group_id, bucket_id`

/** Counts that say something else than the reports, in either direction; and those of nothing, but of whole buckets. */
const wrongCounts = async (): Promise<unknown[]> => {
  const { rows } = await sql`
    with truth as (${counted}),
    kept as (
      select group_id, day, bucket_id, count from error_report_counts
      where not (count = 0 and group_id = 0 and day = '-infinity'))
    (select * from truth except select * from kept) union all (select * from kept except select * from truth)`.execute(
    db,
  )
  return rows
}
const left = async (): Promise<number[]> =>
  (await db.selectFrom('errorReports').select('id').orderBy('id').execute()).map(({ id }) => id)
const titles = async (): Promise<string[]> =>
  (await db.selectFrom('errorReportGroups').select('title').orderBy('title').execute()).map(({ title }) => title)

afterEach(async () => {
  await sql`truncate error_reports, error_report_groups, error_report_counts cascade`.execute(db)
})

describe('retention', () => {
  test('removes logs of success after 14 days, resolved reports after 90, to the millisecond, and no open ones', async () => {
    const ids = await have([
      { at: ago(14, -1), isOk: true },
      { at: ago(14), isOk: true },
      { at: ago(200), resolvedAt: ago(90, -1) },
      { at: ago(200), resolvedAt: ago(90) },
      { at: ago(20), resolvedAt: ago(15) },
      { at: ago(900) },
    ])
    await run()
    expect(await left()).toEqual([ids[1], ids[3], ids[4], ids[5]])
    expect(await wrongCounts()).toEqual([])
  })

  test('keeps a log of success that was opened and resolved as long as what was resolved', async () => {
    const ids = await have([
      { at: ago(60), isOk: true, resolvedAt: ago(50) },
      { at: ago(120), isOk: true, resolvedAt: ago(91) },
    ])
    await run()
    expect(await left()).toEqual([ids[0]])
  })

  test('removes any number in steps, and counts what is left exactly', async () => {
    const kept = await have([{ at: ago(3) }, { at: ago(3), isOk: true }])
    await have(
      Array.from({ length: 23 }, (_, n) => ({
        at: ago(100 + (n % 3)),
        cause: n % 2 === 0 ? 'even' : 'cause',
        ...(n % 5 === 0 ? { isOk: true } : { resolvedAt: ago(91) }),
      })),
    )
    await run({ step: 4 })
    expect(await left()).toEqual(kept)
    expect(await wrongCounts()).toEqual([])
  })

  test('ends between two steps when it is told to, and goes on in the next run', async () => {
    await have(Array.from({ length: 6 }, () => ({ at: ago(20), isOk: true })))
    const stopping = new AbortController()
    const stoppedAfterOne = db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        // The answer of the first removal.
        if (result.numAffectedRows === 2n) stopping.abort()
        return result
      },
    })
    await run({ db: stoppedAfterOne, step: 2 }, stopping.signal)
    expect(await left()).toHaveLength(4)
    expect(await wrongCounts()).toEqual([])
    await run({ step: 2 })
    expect(await left()).toEqual([])
  })

  test('in two processes at once removes each report once', async () => {
    await have(Array.from({ length: 20 }, (_, n) => ({ at: ago(20 + (n % 4)), isOk: true })))
    await Promise.all([run({ step: 3 }), run({ step: 5 })])
    expect(await left()).toEqual([])
    expect(await wrongCounts()).toEqual([])
  })

  test('does not believe a clock that is ahead of the database', async () => {
    const ids = await have([{ at: ago(2), isOk: true }])
    await run({ clock: { now: () => new Date(Date.now() + 400 * dayMs) } })
    expect(await left()).toEqual(ids)
  })

  test('does nothing for nothing', async () => {
    await run()
    expect(await wrongCounts()).toEqual([])
  })
})

describe('a group without reports', () => {
  const gone = (cause: string): Life => ({ at: ago(200), resolvedAt: ago(90, -1), cause })

  test('goes when it has been resolved for as long, unless somebody wrote a note or ignores it', async () => {
    await have([gone('old'), gone('with a note'), gone('ignored'), gone('lately resolved')])
    await sql`update error_report_groups set note = 'Ask Jo.' where title = 'with a note'`.execute(db)
    await sql`update error_report_groups set state = 'ignored' where title = 'ignored'`.execute(db)
    await sql`update error_report_groups set resolved_at = ${ago(90)} where title = 'lately resolved'`.execute(db)
    await run()
    expect(await left()).toEqual([])
    expect(await titles()).toEqual(['ignored', 'lately resolved', 'with a note'])
  })

  test('forgets on which days it happened after 90 of them', async () => {
    await have([{ at: ago(1) }])
    await sql`insert into error_report_group_days (group_id, day, count)
      select id, (${now}::timestamptz at time zone 'UTC')::date - days, 1 from error_report_groups, unnest(array[89, 90, 91, 400]) as days
      `.execute(db)
    await run({ step: 1 })
    const { rows } = await sql`
      select (${now}::timestamptz at time zone 'UTC')::date - day as days from error_report_group_days
      where day < ${ago(2)} order by day desc`.execute(db)
    expect(rows).toEqual([{ days: 89 }, { days: 90 }])
  })

  test('goes only when none of its reports is left', async () => {
    await have([gone('mixed'), { at: ago(80), resolvedAt: ago(70), cause: 'mixed' }])
    await sql`update error_report_groups set resolved_at = ${ago(91)}`.execute(db)
    await run()
    expect(await titles()).toEqual(['mixed'])
    const { rows } = await sql`select count, open_count from error_report_groups`.execute(db)
    expect(rows).toEqual([{ count: 2, openCount: 0 }])
  })
})
