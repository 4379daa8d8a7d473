import { expect, test } from 'vitest'
import { makeErrorReports } from '#testing/data/make-error-reports.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const make = makeErrorReports(testApp)

/** What the database cannot store is replaced: a report is not lost for what it quotes. Sent at once, they are one batch. */
test('odd texts are stored, with what cannot be stored replaced', async () => {
  const channel = await make.channel()
  const sent = [
    [{ error_desc: 'a\u0000b' }, { error_desc: 'a\uFFFDb' }],
    [{ error_code: '\u0000' }, { error_code: '\uFFFD' }],
    [{ raw_request: 'half \ud83d of a character' }, { raw_request: 'half \uFFFD of a character' }],
    [{ raw_response: '\\u0000 as it is written' }, { raw_response: '\\u0000 as it is written' }],
    [{ target_content_type: 1, target_object_id: 'a\u0000' }, { target_object_id: 'a\uFFFD' }],
    [{ error_desc: `${'long'.repeat(5000)} \u{10ffff}` }, { error_desc: `${'long'.repeat(5000)} \u{10ffff}` }],
    // The name of its group ends in the middle of a character.
    [{ error_desc: `${'a'.repeat(254)}😀 and more` }, { error_desc: `${'a'.repeat(254)}😀 and more` }],
  ] as const
  const reports = await Promise.all(sent.map(([fields]) => make.ofChannel(channel, fields)))
  expect(reports).toMatchObject(sent.map(([, stored]) => stored))
  expect((await make.list(`channel=${channel}`)).count).toBe(sent.length)
})

test('a report may have 8 MiB, of which 64 KiB of each text are kept; elsewhere 1 MiB is the limit', async () => {
  const channel = await make.channel()
  const large = { raw_request: 'x'.repeat(4_000_000), raw_response: 'y'.repeat(4_000_000) }
  const report = await make.ofChannel(channel, large)
  expect(report.raw_request).toMatch(/^x+\n\[cut: \d+ bytes are missing\]$/)
  const patched = await testApp.call('PATCH', `/api/v1/error_reports/${report.id}/`, large)
  expect(patched.statusCode).toBe(200)
  const path = `/api/v1/channel/${channel}/error_reports/`
  const larger = await testApp.call('POST', path, make.body({ ...large, error_desc: 'z'.repeat(400_000) }))
  expect([larger.statusCode, Object.keys(larger.json<object>())]).toEqual([413, ['detail']])
  const name = 'x'.repeat(1_100_000)
  expect((await testApp.call('POST', '/api/v1/catalogs/', { name })).statusCode).toBe(413)
  const odd = await testApp.call('POST', '/api/v1/catalogs/', { name: 'a\u0000' })
  expect([odd.statusCode, Object.keys(odd.json<object>())]).toEqual([400, ['name']])
})
