import { expect, test } from 'vitest'
import { makeTestSchedule } from '#testing/make-test-schedule.ts'

const startWindow = 8

const many = 100

test('an offer is the room of a window for so many events, and is reserved until it is settled', () => {
  const { schedule, slots } = makeTestSchedule()
  const offer = schedule.offer([1, 2], many)
  expect(offer).toEqual([
    { subscriptionId: 1, lane: 0, limit: startWindow },
    { subscriptionId: 2, lane: 0, limit: startWindow },
  ])
  expect(schedule.offer([1], many)).toEqual([])
  for (const want of offer) schedule.tookOver(want, want.subscriptionId === 1 ? 5 : 0)
  expect(slots.inFlight).toBe(5)
  expect(schedule.offer([1, 2], many).map(({ limit }) => limit)).toEqual([startWindow - 5, startWindow])
  expect(schedule.offer([3], 2).map(({ limit }) => limit)).toEqual([2])
})

test('of a subscription of which something waits half of the window is offered, of one with a backlog nothing', () => {
  const { schedule, end } = makeTestSchedule()
  schedule.wake([1])
  expect(schedule.offer([1], 1)).toMatchObject([{ limit: 1 }])
  const [want = { subscriptionId: 1, lane: 0, limit: 0 }] = schedule.take()
  // What is offered leaves room for the claim of what was there first.
  expect(want.limit).toBe(startWindow - 1)
  schedule.claimed(want, want.limit)
  end(1, want.limit, true)
  // It brought as many as it asked for: more are waiting, even while the next claim is under way.
  expect(schedule.offer([1], many)).toEqual([])
  const [next = want] = schedule.take()
  expect(schedule.offer([1], many)).toEqual([])
  schedule.claimed(next, 0)
  expect(schedule.offer([1], many)).toHaveLength(1)
})

test('offers to one of which something waits never take more than half of its window together', () => {
  const { schedule } = makeTestSchedule()
  schedule.wake([1])
  const offered = [3, 3, 3].flatMap((events) => schedule.offer([1], events).map(({ limit }) => limit))
  expect(offered).toEqual([3, 1])
  expect(schedule.take()).toMatchObject([{ limit: startWindow / 2 }])
})

test('an offer while the claim of a woken subscription is under way is what the claim leaves of its window', () => {
  const { schedule } = makeTestSchedule()
  schedule.wake([1])
  const [want = { subscriptionId: 1, lane: 0, limit: 0 }] = schedule.takeIdle()
  expect(schedule.offer([1], many)).toEqual([])
  schedule.claimed(want, 1)
  expect(schedule.offer([1], many)).toMatchObject([{ limit: startWindow - 1 }])
})

test('an offer takes half of what is free at most, so that claims find room, and each subscription gets as much of it', () => {
  const { schedule } = makeTestSchedule(20)
  expect(schedule.offer([1, 2, 3, 4, 5], many).map(({ limit }) => limit)).toEqual([2, 2, 2, 2, 2])
  schedule.wake([6])
  expect(schedule.take()).not.toEqual([])
})

test('200 subscriptions that share the room are all served, those that get offers and those that do not', () => {
  const { schedule, end } = makeTestSchedule(64)
  const ids = Array.from({ length: 200 }, (_, index) => index + 1)
  const waiting = new Map(ids.map((id) => [id, 0]))
  const served = new Map(ids.map((id) => [id, 0]))
  const serve = (id: number, count: number): void => {
    served.set(id, (served.get(id) ?? 0) + count)
    end(id, count, true)
  }
  for (let round = 0; round < 200; round++) {
    // An event for each. Who is remembered as a listener gets offers, the others wait for claims.
    const offer = schedule.offer(ids.slice(0, 64), 1)
    const handedOver = new Set(offer.map(({ subscriptionId }) => subscriptionId))
    for (const id of ids) if (!handedOver.has(id)) waiting.set(id, (waiting.get(id) ?? 0) + 1)
    for (const want of offer) schedule.tookOver(want, 1)
    schedule.wake(ids.filter((id) => !handedOver.has(id)))
    // As many claims as there are inserts, made before the room of the offers is free again.
    const claims = [...schedule.takeIdle(), ...schedule.take()].map((want) => {
      const got = Math.min(want.limit, waiting.get(want.subscriptionId) ?? 0)
      waiting.set(want.subscriptionId, (waiting.get(want.subscriptionId) ?? 0) - got)
      schedule.claimed(want, got)
      return { ...want, got }
    })
    for (const { subscriptionId } of offer) serve(subscriptionId, 1)
    for (const { subscriptionId, got } of claims) serve(subscriptionId, got)
  }
  const counts = [...served.values()]
  expect(Math.min(...counts)).toBeGreaterThan(0)
  // Room for 64 a round, and 200 come: nobody gets more than three times what the least served gets.
  expect(Math.max(...counts)).toBeLessThanOrEqual(3 * Math.min(...counts))
})

test('nothing is offered when too many results wait to be written, or after the stop', () => {
  const full = makeTestSchedule(10).schedule
  for (let result = 0; result < 20; result++) full.unwritten()
  expect(full.offer([1], many)).toEqual([])
  const stopped = makeTestSchedule().schedule
  stopped.stop()
  expect(stopped.offer([1], many)).toEqual([])
})
