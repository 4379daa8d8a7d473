import { expect, test } from 'vitest'
import { describeAnswers } from './answers.ts'
import type { Answer, Operation } from './document-types.ts'

const unsaid: Answer = { description: 'Default Response' }
const descriptionOf = (answer: Answer, status = '200', operation: Operation = {}): string | undefined =>
  describeAnswers({ ...operation, responses: { [status]: answer } }).responses?.[status]?.description

test('an answer of which the route says nothing is described by its status', () => {
  expect(descriptionOf(unsaid, '201')).toBe('The new record.')
  expect(descriptionOf(unsaid, '204')).toBe('Done; no body.')
  expect(descriptionOf(unsaid, '404')).toBe('There is no such thing, or none that the caller may know of.')
})

test('success is what the operation does, and a page of a list is a page', () => {
  expect(descriptionOf(unsaid, '200', { summary: 'Read a thing' })).toBe('Read a thing')
  const page = { summary: 'List things', parameters: [{ name: 'page', in: 'query' }] }
  expect(descriptionOf(unsaid, '200', page)).toBe('One page.')
})

test('what the route says stands', () => {
  expect(descriptionOf({ description: 'Gone.' }, '404')).toBe('Gone.')
  const unnamed = { schema: { type: 'string', description: 'The token.' } }
  expect(descriptionOf({ description: 'The token.', content: { 'text/plain': unnamed } })).toBe('The token.')
})

test('what a named schema says of itself is not taken for what the answer means', () => {
  const named = { schema: { title: 'Thing', description: 'A thing.' } }
  expect(descriptionOf({ description: 'A thing.', content: { 'application/json': named } }, '201')).toBe(
    'The new record.',
  )
})
