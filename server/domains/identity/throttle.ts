import { type Clock, minuteMs } from '#platform/clock.ts'
import { keyedHash } from '#platform/auth/random-keys.ts'
import { networkOf } from '#platform/auth/network-of.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { tooManyRequests, type AppError } from '#platform/errors.ts'
import {
  deleteBuckets,
  deleteFailures,
  failuresOf,
  forgetFailures,
  insertFailures,
  lockBuckets,
} from './throttle-store.ts'

/** Failed logins per typed name, and per address, in the window (contract, section 2). */
export const maxFailures = 10
export const windowMinutes = 15
const windowMs = windowMinutes * minuteMs

/** What failures are counted by. */
type Count = string
export const countOf = {
  /** As it was typed, folded, whether or not somebody has it. */
  name: (name: string): Count => `name:${name}`,
  /** IPv6 addresses count by their /64, which is what one customer gets. */
  address: (address: string): Count => `address:${networkOf(address)}`,
  /** Resets that are asked for: these count by where from, and however they end. */
  reset: (address: string): Count => `reset:${networkOf(address)}`,
  /** Somebody who is logged in and types their password. Nobody else adds to it. */
  person: (id: number): Count => `person:${id}`,
}

type Admission =
  /** It counts as failed until `succeeded` is called, which forgets the earlier failures of its own count, not of the others. */
  | { readonly admitted: true; readonly succeeded: () => Promise<void> }
  /** Seconds until the next check would be admitted; at least 1. */
  | { readonly admitted: false; readonly retryAfterSeconds: number }

/** Counts failed logins in the database, so every process sees the same count. */
export const makeThrottle = ({ db, clock, secret }: { db: Db; clock: Clock; secret: Buffer }) => ({
  /**
   * Whether one password check may go ahead. Parallel checks cannot exceed the limit of any of the counts.
   * @param own the count of whoever logs in, which success forgets.
   * @param others counts that success only takes this check back from.
   */
  admit(own: Count, others: readonly Count[] = []): Promise<Admission> {
    const byOwn = keyedHash(secret, own)
    const buckets = [byOwn, ...others.map((count) => keyedHash(secret, count))]
    return inTransaction(db, async (tx) => {
      await lockBuckets(tx, buckets)
      const now = clock.now()
      const waits = []
      for (const bucket of buckets) {
        waits.push(waitMs(await failuresOf(tx, bucket, new Date(now.getTime() - windowMs)), now))
      }
      const wait = Math.max(...waits)
      if (wait > 0) return { admitted: false, retryAfterSeconds: Math.ceil(wait / 1000) }
      const ids = await insertFailures(tx, buckets, now)
      return { admitted: true, succeeded: () => deleteFailures(db, byOwn, ids) }
    })
  },
  /** Forgets all failures of these counts. */
  forget: (counts: readonly Count[]): Promise<void> =>
    deleteBuckets(
      db,
      counts.map((count) => keyedHash(secret, count)),
    ),
  tidy: (): Promise<void> => forgetFailures(db, new Date(clock.now().getTime() - windowMs)),
})

export type Throttle = ReturnType<typeof makeThrottle>

/**
 * Milliseconds until fewer than ten failures are in the window; 0 when that is so already.
 * @param failures those in the window, the earliest first.
 */
export const waitMs = (failures: readonly Date[], now: Date): number => {
  const mustPass = failures.at(-maxFailures)
  return mustPass === undefined ? 0 : Math.max(1, mustPass.getTime() + windowMs - now.getTime())
}

export const tooManyFailures = (retryAfterSeconds: number): AppError =>
  tooManyRequests(`Too many failed logins. Try again in ${retryAfterSeconds} seconds.`, maxFailures, retryAfterSeconds)
