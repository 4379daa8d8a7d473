import { expect, test } from 'vitest'
import { countOf, firstTab, tabNames, tabs } from './tabs.ts'

const none = {
  request_approval: 0,
  pending: 0,
  draft: 0,
  sending_approval_request: 0,
  approved: 0,
  rejected: 0,
  cancelled: 0,
  expired: 0,
}

test('each status is in one tab', () => {
  expect(tabNames.flatMap((tab) => [...tabs[tab]]).toSorted()).toEqual(Object.keys(none).toSorted())
})

test('the first tab that has something is shown first', () => {
  expect(firstTab({ ...none, approved: 3 })).toBe('done')
  expect(firstTab({ ...none, approved: 3, draft: 1 })).toBe('open')
  expect(firstTab({ ...none, approved: 3, draft: 1, sending_approval_request: 1 })).toBe('yours')
  expect(firstTab(none)).toBe('open')
})

test('a tab counts all its statuses', () => {
  expect(countOf('open', { ...none, pending: 2, draft: 1, approved: 4 })).toBe(3)
})
