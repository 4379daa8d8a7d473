import { setTimeout as sleep } from 'node:timers/promises'
import type { Want } from '../queue/claim.ts'

export interface ClaimLoopOptions {
  /** What is wanted now; nothing ends the loop. */
  readonly take: () => Want[]
  readonly claim: (wants: readonly Want[]) => Promise<void>
  /** Whether to wait after a claim as long as it took, and so to leave half of the time to others. */
  readonly isPolite: (wants: readonly Want[]) => boolean
  readonly onError: (error: unknown, wants: readonly Want[]) => void
}

const errorWaitMs = 500
/** A claim that took longer waited for something else than work. */
const longestPauseMs = 100

/** Claims for as long as anything is wanted, one claim at a time. */
export class ClaimLoop {
  readonly #options: ClaimLoopOptions
  #isClaiming = false
  #claiming: Promise<void> | undefined
  #stopped = false

  constructor(options: ClaimLoopOptions) {
    this.#options = options
  }

  /** Something may be wanted. */
  soon(): void {
    if (this.#stopped || this.#isClaiming) return
    this.#isClaiming = true
    this.#claiming = this.#claimAll()
  }

  /** Begins no further claim. Resolves when the one under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#claiming
  }

  async #claimAll(): Promise<void> {
    const { take, claim, isPolite, onError } = this.#options
    for (let wants = take(); wants.length > 0; wants = take()) {
      try {
        const startedAt = performance.now()
        await claim(wants)
        if (isPolite(wants)) await sleep(Math.min(performance.now() - startedAt, longestPauseMs))
      } catch (error) {
        await sleep(errorWaitMs)
        onError(error, wants)
      }
      if (this.#stopped) break
    }
    // In the same tick as the last `take`, or a wake in between would be lost.
    this.#isClaiming = false
  }
}
