import { expect, test } from 'vitest'
import { answeredNumber } from './answered-number.ts'

const filler = 'x'.repeat(70_000)
/** What is read of an answer. */
const read = (body: string): string => body.slice(0, 65_536)
const answers: readonly (readonly [what: string, body: string, number: string | undefined])[] = [
  ['a text', '{"number":"S-7001"}', 'S-7001'],
  ['a text with space around it', ' {"number" : " S-7001\\n" } ', 'S-7001'],
  [
    'a text in escapes, under a name in escapes',
    String.raw`{"n\u0075mber":"S-\u0037 \"a\" \\"}`,
    String.raw`S-7 "a" \ `.trim(),
  ],
  ['an integer', '{"ok":true,"number":7001}', '7001'],
  ['an integer that is written otherwise', '{"number":7.001e3}', '7001'],
  ['an integer above 2^53', '{"number":9007199254740993}', '9007199254740993'],
  ['an integer of 40 digits', `{"number":${'1234567890'.repeat(4)}}`, '1234567890'.repeat(4)],
  ['a text behind a byte order mark', '\uFEFF{"number":"S-1"}', 'S-1'],
  ['the last one of two', '{"number":"S-1","number":"S-2"}', 'S-2'],
  ['what stands beside others of that name', '{"a":{"number":1},"number":"S-1","b":[{"number":2}]}', 'S-1'],
  ['an integer of more digits than are kept', `{"number":${'1'.repeat(256)}}`, undefined],
  ['a text longer than what is kept', `{"number":"${'1'.repeat(256)}"}`, undefined],
  ['a fraction', '{"number":1.5}', undefined],
  ['a number that is no integer that we know exactly', '{"number":1e20}', undefined],
  ['a number further in', '{"order":{"number":"S-1"}}', undefined],
  ['a number in a list', '[{"number":"S-1"}]', undefined],
  ['a list with the word in it', '["number",":","S-1"]', undefined],
  ['an object', '{"number":{"a":1}}', undefined],
  ['true', '{"number":true}', undefined],
  ['an empty text', '{"number":" "}', undefined],
  ['half a surrogate pair', String.raw`{"number":"\ud800"}`, undefined],
  ['no JSON with a number in it', '{"number":"S-1"', undefined],
  ['no JSON', 'number: S-1', undefined],
  ['nothing', '', undefined],
]

test.each(answers)('%s', (_, body, number) => {
  expect(answeredNumber(body)).toEqual({ number, isCut: false })
})

test.each([
  ['a number at the beginning', read(`{"number":"S-1","log":"${filler}"}`)],
  ['a number that was not read', read(`{"log":"${filler}","number":"S-1"}`)],
  ['characters of several bytes', read(`{"number":"S-1","log":"${filler.replaceAll('x', 'ş')}"}`)],
  ['a page', read(`<html>${filler}`)],
])('more than is read of an answer has no number: %s', (_, body) => {
  expect(answeredNumber(body)).toEqual({ number: undefined, isCut: true })
})

test('a long answer that is whole is not cut', () => {
  const body = `{"log":"${'x'.repeat(65_536 - 23)}","number":"S"}`
  expect([body.length, answeredNumber(body)]).toEqual([65_536, { number: 'S', isCut: false }])
})
