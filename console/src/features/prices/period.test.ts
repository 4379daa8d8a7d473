import { expect, test } from 'vitest'
import type { Schema } from '#api/types.ts'
import { firstDay, heldAt, lastDay } from './period.ts'

const price = (from: string, to: string | null, more: object = {}): Schema<'Price'> =>
  ({ valid_from: from, valid_to: to, currency: 'EUR', list_currency: 'EUR', ...more }) as Schema<'Price'>
const summer = price('2026-06-01T00:00:00.000Z', '2026-09-01T00:00:00.000Z')

test.each([
  ['2026-05-31T23:59:00.000Z', 'later'],
  ['2026-06-01T00:00:00.000Z', 'now'],
  ['2026-08-31T23:59:59.999Z', 'now'],
  ['2026-09-01T00:00:00.000Z', 'over'],
])('at %s it is %s', (now, state) => {
  expect(heldAt(summer, new Date(now))).toBe(state)
})

test('one of another currency than its product does not hold', () => {
  const other = price('2026-06-01T00:00:00.000Z', null, { list_currency: 'TRY' })
  expect(heldAt(other, new Date('2026-07-01T00:00:00.000Z'))).toBe('other_currency')
})

test('the last day is that in which it holds to the end', () => {
  expect([firstDay(summer), lastDay(summer)]).toEqual(['2026-06-01', '2026-08-31'])
  expect(lastDay(price('2026-06-01T00:00:00.000Z', null))).toBe('')
})
