import { expect, test } from 'vitest'
import { changesBetween } from './changes.ts'

const before = { url: '', events: ['order.created'], limit: undefined as number | undefined, auth: { kind: 'none' } }

test.each([
  [{}, 0],
  [{ events: ['order.created'], auth: { kind: 'none' } }, 0],
  [{ url: 'https://example.com' }, 1],
  [{ limit: 5, events: [], auth: { kind: 'basic' } }, 3],
])('%j changes %i fields of a form', (changed, count) => {
  expect(changesBetween(before, { ...before, ...changed })).toBe(count)
})
