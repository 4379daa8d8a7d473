import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeJobs } from '#platform/jobs/jobs.ts'
import { eventually } from '#testing/eventually.ts'
import { openTestDatabase } from '#testing/open-test-database.ts'
import { makeCreateReports } from '../reports/create-reports.ts'
import { placeReportOf } from '../reports/new-report.ts'
import { openReports as reports } from '../reports/open-reports-store.ts'
import { makeMapPlace } from './map-place.ts'
import { removeMapping } from './store.ts'

const database = await openTestDatabase()
const { db } = database
const create = makeCreateReports({ clock: systemClock })

const { rows: made } = await sql<{ channel: number; by: number }>`
  with catalog as (insert into catalogs (name, created_at, modified_at) values ('Main', now(), now()) returning id),
  channel as (
    insert into channels (name, catalog_id, created_at, modified_at) select 'Shop', id, now(), now() from catalog
    returning id),
  person as (
    insert into users (email, password_hash, created_at, modified_at) values ('by@example.com', 'x', now(), now())
    returning id)
  select channel.id as channel, person.id as by from channel, person`.execute(db)
const { channel: channelId, by } = made[0] ?? { channel: 0, by: 0 }

let sent = 0
const placeReport = (remoteCode: string) => {
  sent += 1
  return placeReportOf(channelId, 'city', { remote_code: remoteCode, country_id: 1, err_desc: `City ${sent}` })
}
const report = (howMany: number, remoteCode: string) =>
  inTransaction(db, (tx) =>
    create(
      tx,
      Array.from({ length: howMany }, () => placeReport(remoteCode)),
    ),
  )
/** How the reports of a place ended, and how many of each; the fewest first. */
const ends = async (remoteCode: string) => {
  const { rows } = await sql`
    select resolved_how as how, resolved_by as by, count(*) as count from error_reports
    where remote_code = ${remoteCode} group by 1, 2 order by 3`.execute(db)
  return rows
}
/** What maps, and the jobs that go on with it. */
const makeProcess = async () => {
  const jobs = makeJobs({ database, log: pino({ level: 'silent' }), pollSeconds: 0.5 })
  const { map: mapPlace } = makeMapPlace({ db, clock: systemClock, jobs, reports, maxAtOnce: 5, step: 3 })
  await jobs.prepare()
  const map = (remoteCode: string) =>
    inTransaction(db, (tx) =>
      mapPlace(tx, {
        channelId,
        placeType: 'city',
        remoteCode,
        localId: 7,
        localName: 'Istanbul',
        createdBy: by,
      }),
    )
  /** Runs the jobs until the reports of a place have ended like this. */
  const workUntil = async (remoteCode: string, expected: unknown) => {
    await jobs.worker.start()
    try {
      await eventually(async () => expect(await ends(remoteCode)).toEqual(expected))
    } finally {
      await jobs.worker.stop()
    }
  }
  return { map, workUntil }
}

test('many reports of a place that is mapped are resolved by a job, and later ones at once', async () => {
  await report(8, '34')
  await report(2, '35')
  const { map, workUntil } = await makeProcess()
  expect(await map('34')).toMatchObject({ resolved: 0, remaining: 8 })
  await report(1, '34')
  const later = { how: 'mapped', by: null, count: 1 }
  expect(await ends('34')).toEqual([later, { how: null, by: null, count: 8 }])
  await workUntil('34', [later, { how: 'mapped', by, count: 8 }])
  expect(await ends('35')).toEqual([{ how: null, by: null, count: 2 }])
  const { rows } = await sql`select sum(open_count)::int as open from error_report_groups`.execute(db)
  expect(rows).toEqual([{ open: 2 }])
})

test('a mapping that is removed before its job begins resolves nothing', async () => {
  await report(6, '36')
  await report(6, '37')
  const { map, workUntil } = await makeProcess()
  const { mapping } = await map('36')
  await inTransaction(db, (tx) => removeMapping(tx, mapping.id))
  await map('37')
  // Jobs of one kind run in their order: when the second one is done, so is the first.
  await workUntil('37', [{ how: 'mapped', by, count: 6 }])
  expect(await ends('36')).toEqual([{ how: null, by: null, count: 6 }])
})
