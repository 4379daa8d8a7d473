import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { makeClaimLoop } from './claim-loop.ts'
import type { Want } from '../queue/claim.ts'

const want: Want = { subscriptionId: 7, lane: 0, limit: 32 }
const claimMs = 50

/** Runs a loop of some claims of 50 ms. @returns the milliseconds from the end of each to the beginning of the next. */
const pausesOf = async (isPolite: boolean): Promise<number[]> => {
  const pauses: number[] = []
  let left = 3
  let endedAt: number | undefined
  const loop = makeClaimLoop({
    log: pino({ level: 'silent' }),
    take: () => (left > 0 ? [want] : []),
    claim: async () => {
      left -= 1
      if (endedAt !== undefined) pauses.push(performance.now() - endedAt)
      await sleep(claimMs)
      endedAt = performance.now()
    },
    isPolite: () => isPolite,
    onError: (error) => {
      throw error
    },
  })
  await loop.start()
  await vi.waitFor(() => expect(left).toBe(0))
  await loop.stop()
  return pauses
}

test('a claim follows at once on the one before', async () => {
  expect(Math.min(...(await pausesOf(false)))).toBeLessThan(claimMs / 2)
})

test('a polite claim waits as long as the one before took', async () => {
  const pauses = await pausesOf(true)
  expect(pauses).toHaveLength(2)
  // A timer may ring a millisecond early.
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(claimMs - 2)
})
