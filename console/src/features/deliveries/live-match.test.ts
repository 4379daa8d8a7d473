import { expect, test } from 'vitest'
import { isOfList } from './live-match.ts'

const made = {
  id: 7,
  receiver: { kind: 'hook', id: 3 },
  event_type: 'package.created',
  object_type: 'package',
  object_id: '42',
  status: 'pending',
  attempt: 0,
  http_status: null,
  reason: null,
  duration_ms: null,
  time: '2026-11-21T09:30:00.000Z',
} as const
const failed = { ...made, status: 'failed', attempt: 8, http_status: 503, reason: 'http_503' } as const

test.each([
  ['what was just made is new', made, {}, true],
  ['what was tried again stands there already', failed, {}, false],
  ['what has just failed is new among what failed', failed, { status: 'failed' }, true],
  ['and not among what arrived', failed, { status: 'delivered' }, false],
  ['a filter that the message answers is judged', made, { webhook: '3', object_id: '42' }, true],
  ['also when it does not fit', made, { webhook: '4' }, false],
  ['names of events may have hyphens', made, { event_type: 'package-created' }, true],
  ['a filter that the message does not answer counts as met', made, { content_type: '9' }, true],
  ['an empty filter is none', made, { event_type: '', created_date__gte: '' }, true],
])('%s', (_, item, search, expected) => {
  expect(isOfList(item, search)).toBe(expected)
})

test('what goes to projects and flows is not in this log', () => {
  expect(isOfList({ ...made, receiver: { kind: 'flow', id: '1' } }, {})).toBe(false)
})
