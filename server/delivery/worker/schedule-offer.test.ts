import { expect, test } from 'vitest'
import { makeTestSchedule } from '#testing/make-test-schedule.ts'

const startWindow = 8

test('an offer is the room of a window that nothing waits for, and is reserved until it is settled', () => {
  const { schedule } = makeTestSchedule()
  const offer = schedule.offer([1, 2])
  expect(offer).toEqual([
    { subscriptionId: 1, lane: 0, limit: startWindow },
    { subscriptionId: 2, lane: 0, limit: startWindow },
  ])
  expect(schedule.offer([1])).toEqual([])
  for (const want of offer) schedule.tookOver(want, want.subscriptionId === 1 ? 5 : 0)
  expect(schedule.inFlight).toBe(5)
  expect(schedule.offer([1, 2]).map(({ limit }) => limit)).toEqual([startWindow - 5, startWindow])
})

test('nothing is offered of a subscription that has something waiting', () => {
  const { schedule, end } = makeTestSchedule()
  schedule.wake([1])
  expect(schedule.offer([1])).toEqual([])
  const [want = { subscriptionId: 1, lane: 0, limit: 0 }] = schedule.take()
  // As many as were asked for: more are waiting, even while the next claim is under way.
  schedule.claimed(want, want.limit)
  end(1, want.limit, true)
  const [next = want] = schedule.take()
  expect(schedule.offer([1])).toEqual([])
  schedule.claimed(next, 0)
  expect(schedule.offer([1])).toHaveLength(1)
})

test('an offer while the claim of a woken subscription is under way is what the claim leaves of its window', () => {
  const { schedule } = makeTestSchedule()
  schedule.wake([1])
  const [want = { subscriptionId: 1, lane: 0, limit: 0 }] = schedule.takeIdle()
  expect(schedule.offer([1])).toEqual([])
  schedule.claimed(want, 1)
  expect(schedule.offer([1])).toMatchObject([{ limit: startWindow - 1 }])
})

test('all offers together take half of what is free at most, so that claims find room', () => {
  const { schedule } = makeTestSchedule(20)
  const offered = schedule.offer([1, 2, 3]).reduce((sum, { limit }) => sum + limit, 0)
  expect(offered).toBe(10)
  schedule.wake([4])
  expect(schedule.take()).not.toEqual([])
})

test('nothing is offered when too many results wait to be written, or after the stop', () => {
  const full = makeTestSchedule(10).schedule
  for (let result = 0; result < 20; result++) full.unwritten()
  expect(full.offer([1])).toEqual([])
  const stopped = makeTestSchedule().schedule
  stopped.stop()
  expect(stopped.offer([1])).toEqual([])
})
