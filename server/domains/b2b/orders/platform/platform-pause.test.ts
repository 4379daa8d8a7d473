import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { makeFakeClock } from '#testing/fake-clock.ts'
import type { Created } from './commerce-platform.ts'
import { makePlatformPause, type PlatformPause } from './platform-pause.ts'

const clock = makeFakeClock()
const log = pino({ level: 'silent' })
let pause: PlatformPause
beforeEach(() => {
  pause = makePlatformPause({ clock, log })
})

const well: Created = { number: 'S-1' }
const failed = (reason: string, status: number | null = null): Created => ({
  error: { reason, detail: '', status, body: null },
})
const away = failed('connection_error')
/** One try after the other. @returns how many of them were begun. */
const tries = (count: number, outcome: Created): number => {
  let begun = 0
  for (let nth = 0; nth < count; nth++) {
    if (!pause.begin()) continue
    begun += 1
    pause.end(outcome)
  }
  return begun
}
const seconds = (count: number): void => clock.advance(count * 1_000)

const absences: readonly (readonly [reason: string, status: number | null])[] = [
  ['connection_error', null],
  ['timeout', null],
  ['timeout', 201],
  ['dns_error', null],
  ['tls_error', null],
  ['refused', 429],
  ['refused', 502],
  ['refused', 503],
  ['refused', 504],
]
test.each(absences)('four in a row that end with %s %s pause all orders', (reason, status) => {
  expect([tries(20, failed(reason, status)), pause.isPaused()]).toEqual([4, true])
})

const answers: readonly (readonly [reason: string, status: number | null])[] = [
  ['refused', 400],
  ['refused', 401],
  ['refused', 500],
  ['refused', 200],
  ['answer_too_large', 200],
  ['connector_failed', null],
  ['aborted', null],
  ['not_started', null],
]
test.each(answers)('what ends with %s %s is the business of its order alone', (reason, status) => {
  expect([tries(20, failed(reason, status)), pause.isPaused()]).toEqual([20, false])
})

test('an answer in between starts the count again; what we gave up ourselves does not', () => {
  expect(tries(3, away) + tries(1, well) + tries(3, away)).toBe(7)
  expect(tries(2, failed('aborted'))).toBe(2)
  expect(tries(5, away)).toBe(1)
})

test('when a pause is over one order tries, and the next pause is longer, up to a minute', () => {
  tries(4, away)
  for (const length of [5, 15, 30, 60, 60, 60]) {
    seconds(length - 1)
    expect([length, tries(1, away)]).toEqual([length, 0])
    seconds(1)
    expect([length, pause.isPaused(), pause.begin(), pause.begin(), pause.isPaused()]).toEqual([
      length,
      false,
      true,
      false,
      true,
    ])
    pause.end(away)
  }
})

test('an order that gets through ends it for all', () => {
  tries(4, away)
  seconds(5)
  expect(pause.begin()).toBe(true)
  pause.end(well)
  expect(tries(10, well)).toBe(10)
  tries(4, away)
  seconds(5)
  expect(tries(1, well)).toBe(1)
})

test('who had nothing to try lets somebody else', () => {
  tries(4, away)
  seconds(5)
  expect([pause.begin(), pause.begin()]).toEqual([true, false])
  pause.end(undefined)
  expect([pause.begin(), pause.begin()]).toEqual([true, false])
})

test('orders that were under way when a pause began make it no longer', () => {
  for (let nth = 0; nth < 20; nth++) pause.begin()
  for (let nth = 0; nth < 20; nth++) pause.end(away)
  seconds(5)
  expect(pause.begin()).toBe(true)
})

test('whoever asks for a retry has one order try at once, and the pause begins again when that is in vain', () => {
  tries(7, away)
  seconds(5)
  expect(tries(1, away)).toBe(1)
  // The pause of 15 seconds has begun.
  seconds(1)
  const askedAt = clock.now()
  pause.cutShort(askedAt)
  expect([pause.begin(), pause.begin()]).toEqual([true, false])
  seconds(1)
  pause.end(away)
  // Another order that was asked for at the same time, by the same request.
  pause.cutShort(askedAt)
  seconds(29)
  expect(tries(1, away)).toBe(0)
  pause.cutShort(clock.now())
  expect(tries(10, well)).toBe(10)
})
