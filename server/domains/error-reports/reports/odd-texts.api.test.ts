import { expect, test } from 'vitest'
import { makeErrorReports } from '#testing/data/make-error-reports.ts'
import { makeTestApp } from '#testing/make-test-app.ts'

const testApp = await makeTestApp()
const make = makeErrorReports(testApp)

/** What the database cannot store is refused by name; what is only odd is stored. Sent at once, they are one batch. */
test('odd texts are stored or refused with 400, and do no harm to the reports that come with them', async () => {
  const channel = await make.channel()
  const sent = [
    [{}, 201],
    [{ error_desc: 'a\u0000b' }, 400],
    [{ error_code: '\u0000' }, 400],
    [{ raw_request: 'a\u0000b' }, 400],
    [{ raw_response: '\u0000' }, 400],
    [{ target_content_type: 1, target_object_id: 'a\u0000' }, 400],
    [{ raw_request: 'half \ud83d of a character' }, 400],
    [{ raw_response: '\\u0000 as it is written' }, 201],
    [{ error_desc: `${'long'.repeat(5000)} \u{10ffff}` }, 201],
    // The name of its group ends in the middle of a character.
    [{ error_desc: `${'a'.repeat(254)}😀 and more` }, 201],
    [{}, 201],
  ] as const
  const answers = await Promise.all(
    sent.map(([fields]) => testApp.call('POST', `/api/v1/channel/${channel}/error_reports/`, make.body(fields))),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(sent.map(([, status]) => status))
  expect(answers.filter(({ statusCode }) => statusCode === 400).map((answer) => Object.keys(answer.json()))).toEqual([
    ['error_desc'],
    ['error_code'],
    ['raw_request'],
    ['raw_response'],
    ['target_object_id'],
    ['raw_request'],
  ])
  expect((await make.list(`channel=${channel}`)).count).toBe(5)
})
