import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'

/** Leases that nobody knows of last 30 s, and the look that finds what is left comes within 5 s. */
const recoveryMs = 60_000

/** Looks until there is something. @throws when that takes longer than any recovery may. */
export const until = async <T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> => {
  const startedAt = performance.now()
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    const waitedMs = performance.now() - startedAt
    if (waitedMs > recoveryMs) throw new Error(`There was no recovery within ${recoveryMs / 1_000} s.`)
    await sleep(pauseAfter(waitedMs, 20))
  }
}

/**
 * Between two looks: a tenth of the time waited so far. A look costs the server that is looked at some milliseconds,
 * and who looks every few of them for as long as a recovery takes keeps a processor busy with nothing else.
 */
export const pauseAfter = (waitedMs: number, shortestMs: number): number =>
  Math.min(Math.max(waitedMs / 10, shortestMs), 200)

/** Until a server has nothing left to deliver. */
export const untilNothingPending = (origin: string, authorization: string): Promise<true> =>
  until(async () => {
    const path = `${origin}/whisperer/hook_events/?delivered=false&limit=1`
    const answer = await request(path, { headers: { authorization } })
    await answer.body.dump()
    return answer.headers['x-total-count'] === '0' ? true : undefined
  })
