import type { Logger } from 'pino'
import type { Clock } from '#platform/clock.ts'
import type { Created, PlatformError } from './commerce-platform.ts'

const seconds = 1_000
/** So many in a row that got no answer, and the platform is taken to be away. */
const enough = 4
/** How long nobody tries then, and after each one that tried in vain; the last one from then on. */
const waitsMs = [5 * seconds, 15 * seconds, 30 * seconds, 60 * seconds] as const

/**
 * The pause that all orders make while the platform is away, in this process: otherwise each of thousands would find out for itself,
 * with a try, a report and two events each time, and would then wait for an hour when the platform is back. When a pause
 * is over, or cut short, one order tries. Orders that wait for it lose none of their tries.
 */
export const makePlatformPause = ({ clock, log }: { readonly clock: Clock; readonly log: Logger }) => {
  let inVain = 0
  let pausedSince = 0
  let pausedUntil = 0
  let isProbing = false
  const isAway = (): boolean => inVain >= enough
  const isPaused = (): boolean => isAway() && (isProbing || clock.now().getTime() < pausedUntil)

  const noteAbsence = ({ reason, status }: PlatformError): void => {
    // Others that were under way say nothing new.
    if (isPaused()) return
    inVain += 1
    if (!isAway()) return
    const waitMs = waitsMs[Math.min(inVain - enough, waitsMs.length - 1)] ?? 0
    pausedSince = clock.now().getTime()
    pausedUntil = pausedSince + waitMs
    log.warn({ reason, status, waitMs }, 'orders.platform_away')
  }
  const noteAnswer = (): void => {
    if (isAway()) log.warn('orders.platform_back')
    inVain = 0
  }

  return {
    /** Whether nobody may try now. */
    isPaused,
    /**
     * Lets one order try at once, for somebody who asked for it since the pause began. What was asked for before that has had its
     * try: many orders that are asked for at once do not each find out that the platform is still away.
     */
    cutShort(askedAt: Date): void {
      if (askedAt.getTime() > pausedSince) pausedUntil = 0
    },
    /** Takes leave to try one order; whoever got it says with `end` what came of it. */
    begin(): boolean {
      if (isPaused()) return false
      isProbing = isAway()
      return true
    },
    /** @param created undefined: there was nothing to try. */
    end(created: Created | undefined): void {
      isProbing = false
      if (created === undefined) return
      if ('number' in created) noteAnswer()
      else if (isAbsence(created.error)) noteAbsence(created.error)
      else if (!ours.has(created.error.reason)) noteAnswer()
    },
  }
}

export type PlatformPause = ReturnType<typeof makePlatformPause>

/** What has nothing to do with the platform. */
const ours = new Set(['connector_failed', 'aborted', 'not_started'])
/** What a platform that is away has others say for it, and one that has too much to do says itself. */
const absent = new Set([429, 502, 503, 504])

const isAbsence = ({ reason, status }: PlatformError): boolean => {
  if (reason === 'refused') return status !== null && absent.has(status)
  return reason !== 'answer_too_large' && !ours.has(reason)
}
