import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { makeErrorReports, type ReportBody } from '#testing/data/make-error-reports.ts'
import { makePeople } from '#testing/make-people.ts'
import { makeTestApp } from '#testing/make-test-app.ts'
import { makeCreateReports } from './create-reports.ts'
import { reportOf, type NewReport } from './new-report.ts'

// Who a failure is resolved by when a success is reported after it.

const testApp = await makeTestApp()
const { call } = testApp
const make = makeErrorReports(testApp)
const people = makePeople(testApp)

const someone = async () => {
  const person = await people.person({ is_staff: true })
  return { id: person.id, headers: await people.authorization(person) }
}
const all = '/api/v1/error_reports/'
const resolution = async (id: number) => {
  const report: ReportBody & { readonly resolved_by?: number | null } = await make.read(id)
  return { how: report.resolved_how, by: report.resolved_by }
}

test.each([{}, { 'idempotency-key': 'success-1' }])('whoever reports a success, with %j', async (more) => {
  const { id, headers } = await someone()
  const body = make.body()
  const failure = await make.report(body)
  const success = await call('POST', all, { ...body, is_ok: true }, { ...headers, ...more })
  expect([success.statusCode, success.json()]).toEqual([201, expect.objectContaining({ resolved_by: null })])
  expect(await resolution(failure.id)).toEqual({ how: 'later_success', by: id })
})

test('each by whoever reported its success, when many do at once', async () => {
  const [one, other] = [await someone(), await someone()]
  const channel = await make.channel()
  const failures = await Promise.all(Array.from({ length: 20 }, () => make.ofChannel(channel)))
  const elsewhere = await make.ofChannel(await make.channel(), { action_object_id: failures[0]?.action_object_id })
  const by = (index: number) => (index % 3 === 0 ? one : other)
  await Promise.all(
    failures.map(async ({ action_object_id }, index) => {
      const success = make.body({ action_object_id, is_ok: true })
      await call('POST', `/api/v1/channel/${channel}/error_reports/`, success, by(index).headers)
    }),
  )
  expect(await Promise.all(failures.map(({ id }) => resolution(id)))).toEqual(
    failures.map((_, index) => ({ how: 'later_success', by: by(index).id })),
  )
  expect(await resolution(elsewhere.id)).toEqual({ how: null, by: null })
})

test('by the first who reported it, when several successes come together with the failure', async () => {
  const [one, other] = [await someone(), await someone()]
  const sent = (fields: object): NewReport =>
    reportOf({
      action_content_type: 1,
      action_object_id: 4711,
      obj_modified_date: '2026-11-21 09:30:00',
      error_code: 'x',
      error_desc: 'y',
      ...fields,
    })
  const create = makeCreateReports({ clock: systemClock })
  const [early, failure, success] = await inTransaction(testApp.database.db, (tx) =>
    create(tx, [
      { ...sent({ is_ok: true, error_code: 'early' }), by: other.id },
      { ...sent({}), by: other.id },
      { ...sent({ is_ok: true }), by: one.id },
      { ...sent({ is_ok: true }), by: other.id },
      { ...sent({ is_ok: true, error_code: 'late' }), by: other.id },
    ]),
  )
  expect(early).toMatchObject({ kind: 'created', report: { resolvedHow: null, resolvedBy: null } })
  expect(failure).toMatchObject({ kind: 'created', report: { resolvedHow: 'later_success', resolvedBy: one.id } })
  const id = failure?.kind === 'created' ? failure.report.id : 0
  expect(await resolution(id)).toEqual({ how: 'later_success', by: one.id })
  expect(success).toMatchObject({ report: { resolvedHow: null, resolvedBy: null } })
})

test('nobody, when nobody said who', async () => {
  const failure = await make.report()
  const create = makeCreateReports({ clock: systemClock })
  const body = make.body({ action_object_id: failure.action_object_id, is_ok: true }) as Parameters<typeof reportOf>[0]
  await inTransaction(testApp.database.db, (tx) => create(tx, [reportOf(body)]))
  expect(await resolution(failure.id)).toEqual({ how: 'later_success', by: null })
})
