import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeErrorReports, type ReportBody } from '#testing/data/make-error-reports.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const { call, database } = testApp
const make = makeErrorReports(testApp)

test('a search counts up to 10,000 reports and has pages up to there', async () => {
  await make.report({ channel: await make.channel('North'), raw_response: 'frequent' })
  const { rows } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = 'error_reports' and column_name <> 'id' and is_generated = 'NEVER'`.execute(
    database.db,
  )
  const columns = sql.join(rows.map(({ name }) => sql.ref(name)))
  const copy = (count: number) =>
    sql`insert into error_reports (${columns}) select ${columns}
      from (select * from error_reports order by id limit 1) as first, generate_series(1, ${count}::integer) as number`.execute(
      database.db,
    )
  const read = async (more: string) => {
    const { statusCode, headers, json } = await call('GET', `/api/v1/error_reports/?q=frequent&limit=1000&${more}`)
    const found = statusCode === 200 ? json<ReportBody[]>().length : json<object>()
    return { statusCode, found, headers }
  }

  await copy(9_999)
  const exact = await read('page=10')
  expect([exact.found, exact.headers['x-total-count'], exact.headers['x-total-count-relation']]).toEqual([
    1000,
    '10000',
    undefined,
  ])

  await copy(1)
  const first = await read('page=1')
  expect([first.found, first.headers['x-total-count'], first.headers['x-total-count-relation']]).toEqual([
    1000,
    '10000',
    'gte',
  ])
  expect(first.headers['link']).toMatch(/page=2>; rel="next"/)
  const last = await read('page=10')
  expect([last.found, last.headers['link']]).toEqual([1000, expect.not.stringContaining('rel="next"')])
  expect(await read('page=11')).toMatchObject({ statusCode: 400, found: { page: [expect.stringContaining('10000')] } })
})
