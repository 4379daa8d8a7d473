import { dayMs, type Clock, minuteMs } from '#platform/clock.ts'
import { keyedHash } from '#platform/auth/random-keys.ts'
import { networkOf } from '#platform/auth/network-of.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { forgetPlaces, isKnownPlace, noteKnown } from './known-place-store.ts'
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
/** How long a place stays known after a login. */
const knownMs = 90 * dayMs

/** What failures are counted by. */
type Count = string
export const countOf = {
  /** As it was typed, folded, whether or not somebody has it. */
  name: (name: string): Count => `name:${name}`,
  /** The same, at a place where somebody has logged in under it. */
  known: (name: string, address: string): Count => `known:${networkOf(address)} ${name}`,
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

interface ThrottleDeps {
  readonly db: Db
  readonly clock: Clock
  readonly secret: Buffer
}

/** Counts failed logins in the database, so every process sees the same count. */
export const makeThrottle = (deps: ThrottleDeps) => {
  const { db, clock, secret } = deps
  const admit = makeAdmit(deps)
  const ago = (ms: number): Date => new Date(clock.now().getTime() - ms)
  const hashes = (counts: readonly Count[]) => counts.map((count) => keyedHash(secret, count))
  const notePlaces = (names: readonly string[], address: string): Promise<void> =>
    noteKnown(db, hashes(names.map((name) => countOf.known(name, address))), clock.now())

  return {
    admit,
    /**
     * Whether a login may be checked. Where somebody has logged in under this name within 90 days, its failures are counted by
     * name and network, instead of by name and by network: strangers, wherever they are, and colleagues behind the same address use
     * up their own tries alone.
     */
    async admitLogin(name: string, address: string): Promise<Admission> {
      const known = countOf.known(name, address)
      const isKnown = await isKnownPlace(db, keyedHash(secret, known), ago(knownMs))
      const admission = await (isKnown ? admit(known) : admit(countOf.name(name), [countOf.address(address)]))
      if (!admission.admitted) return admission
      const succeeded = async (): Promise<void> => {
        await admission.succeeded()
        await notePlaces([name], address)
      }
      return { admitted: true, succeeded }
    },
    /** Takes the address for one where whoever has these names logs in. */
    notePlaces,
    /** Forgets all failures of these counts. */
    forget: (counts: readonly Count[]): Promise<void> => deleteBuckets(db, hashes(counts)),
    async tidy(): Promise<void> {
      await forgetFailures(db, ago(windowMs))
      await forgetPlaces(db, ago(knownMs))
    },
  }
}

/**
 * Whether one password check may go ahead. Parallel checks cannot exceed the limit of any of the counts.
 * `own` is the count of whoever logs in, which success forgets; from the others it only takes this check back.
 */
const makeAdmit =
  ({ db, clock, secret }: ThrottleDeps) =>
  (own: Count, others: readonly Count[] = []): Promise<Admission> => {
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
  }

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
