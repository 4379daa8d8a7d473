import { expect, test } from 'vitest'
import { searchWordsOf, wordsIn } from './search-words.ts'

const report = { errorCode: 'E-50', errorDesc: 'ReadTimeout', rawRequest: null, rawResponse: null }

test.each([
  ['Read timeout, read again', ['read', 'timeout', 'again']],
  ['12-Channel_BatchRequest/1763717400', ['12', 'channel', 'batchrequest', '1763717400']],
  ['ÇİÇEK şişe', ['çi̇çek', 'şişe']],
  ['50 %', ['50']],
  ['\u0000 %_\\ \u{1F4A5}', []],
])('%s: its words are found in any case, each once', (text, words) => {
  expect(wordsIn(text)).toEqual(words)
})

test('a word is cut where an index could not hold it', () => {
  expect(wordsIn('x'.repeat(10_000))).toEqual(['x'.repeat(64)])
})

test('a report is found by the parts of its names, and by the beginnings of what was sent and answered', () => {
  const far = `${'. '.repeat(500)} beyond`
  expect(searchWordsOf({ ...report, rawRequest: `sent${far}`, rawResponse: `answered${far}` }).toSorted()).toEqual(
    ['readtimeout', 'read', 'timeout', 'e', '50', 'sent', 'answered'].toSorted(),
  )
})
