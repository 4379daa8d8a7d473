import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { makeLoop, type Loop } from '#platform/loop.ts'
import type { Want } from '../queue/claim.ts'

export interface ClaimLoopOptions {
  readonly log: Logger
  /** What is wanted now; an empty list ends the run. */
  readonly take: () => Want[]
  readonly claim: (wants: readonly Want[]) => Promise<void>
  /** Whether to wait after a claim as long as it took, and so to leave half of the time to others. */
  readonly isPolite: (wants: readonly Want[]) => boolean
  readonly onError: (error: unknown, wants: readonly Want[]) => void
}

const errorWaitMs = 500
/** A claim that took longer waited for something else than work. */
const maxPauseMs = 10

/** Once kicked, claims for as long as anything is wanted, one claim at a time. A stop waits for the claim under way. */
export const makeClaimLoop = ({ log, take, claim, isPolite, onError }: ClaimLoopOptions): Loop =>
  makeLoop({
    name: 'claims',
    log,
    run: async (signal) => {
      for (let wants = take(); wants.length > 0; wants = take()) {
        try {
          const startedAt = performance.now()
          await claim(wants)
          if (isPolite(wants)) await sleep(Math.min(performance.now() - startedAt, maxPauseMs))
        } catch (error) {
          await sleep(errorWaitMs)
          onError(error, wants)
        }
        if (signal.aborted) return
      }
    },
  })
