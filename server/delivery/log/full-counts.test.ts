import { expect, test } from 'vitest'
import { hourMs } from '#platform/clock.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { makeFakeClock } from '#testing/fake-clock.ts'
import { firstIdOf } from '../tables/time-id.ts'
import type { DeliveryFilter } from './delivery-filter.ts'
import { makeFullCounts } from './full-counts.ts'

const list = defineList({ key: 'deliveries.id', count: 'bounded' })
const filter: DeliveryFilter = { subscriptionIds: [1, 2], eventType: 'package.created' }

const countFull = ({ filter: given = filter, isMore = true } = {}) => {
  const clock = makeFakeClock()
  const counts = makeFullCounts({ clock })
  const firstKey = firstIdOf(new Date(clock.now().getTime() - hourMs))
  counts.note(given, { count: 10_000, bounded: { isMore, firstKey, next: undefined } })
  return { clock, isCounted: (asked = given) => counts.of(list, asked).known({}) === undefined }
}

test('more deliveries than are counted are not counted again while the first of them is younger than half a day', () => {
  const { clock, isCounted } = countFull()
  expect(isCounted()).toBe(false)
  clock.advance(10.9 * hourMs)
  expect(isCounted()).toBe(false)
  clock.advance(0.2 * hourMs)
  expect(isCounted()).toBe(true)
})

test('what another filter leaves is counted', () => {
  expect(countFull().isCounted({ ...filter, subscriptionIds: [1] })).toBe(true)
})

test('what was counted to its end is counted again', () => {
  expect(countFull({ isMore: false }).isCounted()).toBe(true)
})

test.each([{ statuses: ['pending'] }, { delivered: false }, { lastStatus: 503 }, { lastReason: 'timeout' }] as const)(
  'what deliveries can cease to be is counted again: %j',
  (changing) => {
    expect(countFull({ filter: { ...filter, ...changing } }).isCounted()).toBe(true)
  },
)
