import { expect, test } from 'vitest'
import { canRunPatterns } from './can-run-patterns.ts'

test('patterns of many users are tried one after the other, and those that would wait too long are to come again', async () => {
  const tried = await Promise.allSettled(Array.from({ length: 13 }, () => canRunPatterns([/(a)/u])))
  expect(tried.filter(({ status }) => status === 'rejected')).toEqual([
    {
      status: 'rejected',
      reason: expect.objectContaining({ status: 429, message: expect.stringContaining('others') }),
    },
    { status: 'rejected', reason: expect.objectContaining({ status: 429 }) },
  ])
  expect(tried.slice(0, 11)).toEqual(tried.slice(0, 11).map(() => ({ status: 'fulfilled', value: true })))
  expect(await canRunPatterns([/(a)/u])).toBe(true)
})
