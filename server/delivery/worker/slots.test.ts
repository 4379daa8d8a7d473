import { describe, expect, test } from 'vitest'
import { Slots } from './slots.ts'
import type { Lane } from '../tables/tables.ts'

const makeSlots = (capacity = 1_000) => {
  let calls = 0
  const slots = new Slots({ capacity, onRoom: () => void (calls += 1) })
  const occupy = (id: number, lane: Lane, count: number): void => slots.settle(slots.reserve(id, lane, count), count)
  const free = () => [slots.freeFor(0, false), slots.freeFor(0, true), slots.freeFor(1, true)]
  return { slots, occupy, free, calls: () => calls }
}

describe('the window of a subscription', () => {
  const times = (count: number, inTime: boolean): boolean[] => Array.from({ length: count }, () => inTime)

  test.each<[string, boolean[], number]>([
    ['starts at 8', [], 8],
    ['grows by one with each answer in time', times(5, true), 13],
    ['grows to 256 and no further', times(400, true), 256],
    ['halves with each exchange that hung or broke', times(1, false), 4],
    ['never falls below one', times(20, false), 1],
    ['recovers from one', [...times(20, false), ...times(10, true)], 11],
    ['falls fast from the top', [...times(400, true), ...times(4, false)], 16],
  ])('%s', (_, ends, expected) => {
    const { slots, occupy } = makeSlots()
    for (const inTime of ends) {
      occupy(1, 0, 1)
      slots.complete(1, 0, inTime)
    }
    expect(slots.windowOf(1, 0)).toEqual({ window: expected, taken: 0 })
    expect(slots.windowOf(1, 1).window).toBe(Math.max(1, Math.floor(expected / 4)))
    expect(slots.windowOf(2, 0).window).toBe(8)
  })

  test('is taken by what was asked for and by what is in flight', () => {
    const { slots } = makeSlots()
    const want = slots.reserve(1, 0, 5)
    expect(slots.windowOf(1, 0).taken).toBe(5)
    slots.settle(want, 2)
    expect([slots.windowOf(1, 0).taken, slots.windowOf(1, 1).taken, slots.inFlight]).toEqual([2, 0, 2])
    slots.complete(1, 0, true)
    expect([slots.windowOf(1, 0).taken, slots.inFlight]).toEqual([1, 1])
  })
})

test('subscriptions that were not used for long are forgotten, and those with something in flight are not', () => {
  const slots = new Slots({ capacity: 1_000, onRoom: () => undefined, remembered: 10 })
  for (const id of [1, 2]) slots.settle(slots.reserve(id, 0, 2), 2)
  for (const id of [1, 2]) slots.complete(id, 0, true)
  slots.complete(1, 0, true)
  for (let id = 100; id < 150; id++) slots.settle(slots.reserve(id, 0, 1), 0)
  expect(slots.windowOf(1, 0)).toEqual({ window: 8, taken: 0 })
  expect(slots.windowOf(2, 0)).toEqual({ window: 9, taken: 1 })
  expect(slots.inFlight).toBe(1)
})

test('retries get a quarter of the capacity at most, and an eighth is kept for them while some wait', () => {
  const { slots, occupy, free } = makeSlots(80)
  expect(free()).toEqual([80, 70, 20])
  occupy(1, 1, 15)
  slots.reserve(2, 1, 2)
  expect(free()).toEqual([63, 53, 3])
})

test('what is slow leaves its slot to others, until there is eight times the capacity in flight', () => {
  const { slots, occupy, free, calls } = makeSlots(10)
  occupy(1, 0, 10)
  expect(free()[0]).toBe(0)
  slots.slowed(1, 0)
  expect([free()[0], slots.windowOf(1, 0).window, calls()]).toEqual([1, 4, 1])
  slots.complete(1, 0, true, true)
  expect([free()[0], slots.inFlight, calls()]).toEqual([1, 9, 2])
  for (let round = 0; round < 8; round++) {
    for (let time = 0; time < 9; time++) slots.slowed(1, 0)
    occupy(1, 0, 9)
  }
  expect(free()[0]).toBe(-1)
})

test('a pause concerns what was claimed before it, and only that subscription', () => {
  const { slots } = makeSlots()
  const before = performance.now()
  slots.pause(1)
  expect(slots.isPausedSince(1, before)).toBe(true)
  expect(slots.isPausedSince(1, performance.now() + 1)).toBe(false)
  expect(slots.isPausedSince(2, before)).toBe(false)
})

test('failures in a row are counted for each subscription until a success', () => {
  const { slots } = makeSlots()
  const counts = [false, false, true, false].map((isSuccess) => slots.counted(1, isSuccess))
  expect(counts).toEqual([1, 2, 0, 1])
  expect(slots.counted(2, false)).toBe(1)
})
