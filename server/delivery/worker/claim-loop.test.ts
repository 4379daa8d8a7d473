import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { makeClaimLoop } from './claim-loop.ts'
import type { Want } from '../queue/claim.ts'

const want: Want = { subscriptionId: 7, lane: 0, limit: 32 }
const claimMs = 50
/** The longest pause. */
const maxPauseMs = 10

interface Pause {
  readonly ms: number
  /** Whether anything else had its turn meanwhile. */
  readonly letOthers: boolean
}

/** Runs a loop of some claims of 50 ms. @returns the pauses between the end of each and the beginning of the next. */
const pausesOf = async (isPolite: boolean): Promise<Pause[]> => {
  const pauses: Pause[] = []
  let left = 3
  let endedAt: number | undefined
  let letOthers = false
  const loop = makeClaimLoop({
    log: pino({ level: 'silent' }),
    take: () => (left > 0 ? [want] : []),
    claim: async () => {
      left -= 1
      if (endedAt !== undefined) pauses.push({ ms: performance.now() - endedAt, letOthers })
      await sleep(claimMs)
      endedAt = performance.now()
      letOthers = false
      void nextTurn().then(() => (letOthers = true))
    },
    isPolite: () => isPolite,
    onError: (error) => {
      throw error
    },
  })
  await loop.start()
  await eventually(() => expect(left).toBe(0))
  await loop.stop()
  return pauses
}

test('a claim follows at once on the one before', async () => {
  expect((await pausesOf(false)).map(({ letOthers }) => letOthers)).toEqual([false, false])
})

test('a polite claim waits as long as the one before took, up to 10 ms', async () => {
  const pauses = await pausesOf(true)
  expect(pauses).toHaveLength(2)
  // A timer may ring a millisecond early.
  expect(Math.min(...pauses.map(({ ms }) => ms))).toBeGreaterThanOrEqual(maxPauseMs - 2)
})
