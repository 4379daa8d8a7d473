import { expect, test } from 'vitest'
import { makeErrorReports, type ReportBody } from '#testing/data/make-error-reports.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const { call } = testApp
const make = makeErrorReports(testApp)

const listed = async (channel: number): Promise<ReportBody[]> =>
  (await call('GET', `/api/v1/error_reports/?channel=${channel}&ordering=id`)).json<ReportBody[]>()
const cutAfter = (start: string, missing: number): string =>
  `${start}\n[cut in lists: the report itself has ${missing} bytes more]`

test('a list has the first 4,096 characters of a raw text and says how much is missing; the report has all of it', async () => {
  const channel = await make.channel()
  const texts = ['a'.repeat(4096), 'a'.repeat(4097), '😀'.repeat(4100), `${'x'.repeat(4095)}😀ş`, null]
  const ids = []
  for (const text of texts)
    ids.push((await make.ofChannel(channel, { raw_request: text, raw_response: text && `${text}!` })).id)
  const shown = ['a'.repeat(4096), cutAfter('a'.repeat(4096), 1), cutAfter('😀'.repeat(4096), 16)]
  const rows = await listed(channel)
  expect(rows.map((row) => row.raw_request)).toEqual([...shown, cutAfter(`${'x'.repeat(4095)}😀`, 2), null])
  expect(rows[0]?.raw_response).toBe(cutAfter('a'.repeat(4096), 1))
  for (const [index, id] of ids.entries()) expect((await make.read(id)).raw_request).toBe(texts[index])
})

test('a cut text that a list showed is sent back without harm, and anything else changes the report', async () => {
  const channel = await make.channel()
  const text = 'long '.repeat(2000)
  const { id } = await make.ofChannel(channel, { raw_request: text, raw_response: text })
  const [row] = await listed(channel)
  const answer = await call('PATCH', `/api/v1/error_reports/${id}/`, { ...row, error_desc: 'Seen in a list' })
  expect(answer.statusCode).toBe(200)
  expect(await make.read(id)).toMatchObject({ error_desc: 'Seen in a list', raw_request: text, raw_response: text })
  await call('PATCH', `/api/v1/error_reports/${id}/`, { raw_request: text.slice(0, 4096), raw_response: null })
  expect(await make.read(id)).toMatchObject({ raw_request: text.slice(0, 4096), raw_response: null })
})

test('a description is masked and cut like the texts of a request, and its group is named by the beginning', async () => {
  const channel = await make.channel()
  const text = `Refused, password=hush-password ${'because '.repeat(1000)}`
  const stored = text.replace('hush-password', '***')
  const { id, group } = await make.ofChannel(channel, { error_desc: text })
  expect((await make.read(id)).error_desc).toBe(stored)
  const [row] = await listed(channel)
  expect(row?.error_desc).toBe(cutAfter(stored.slice(0, 4096), stored.length - 4096))
  await call('PATCH', `/api/v1/error_reports/${id}/`, row)
  expect((await make.read(id)).error_desc).toBe(stored)
  const named = (await call('GET', `/api/v1/error_report_groups/${group}/`)).json<{ title: string }>()
  expect(named.title).toBe(stored.slice(0, 255))
  await call('PATCH', `/api/v1/error_reports/${id}/`, { error_desc: 'token=hush-token-of-shop' })
  expect((await make.read(id)).error_desc).toBe('token=***')
})
