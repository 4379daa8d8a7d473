import type { Logger } from 'pino'
import { accessTokenSeconds, type AccessTokens } from '#platform/auth/access-tokens.ts'
import { hashKey, newKey } from '#platform/auth/random-keys.ts'
import { dayMs } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { Client } from '#platform/auth/client.ts'
import { insertKey } from './credential-store.ts'
import {
  deleteSession,
  extendSession,
  insertRefreshToken,
  insertSession,
  lockSessionOf,
  useRefreshToken,
} from './session-store.ts'
import type { User } from './user.ts'
import { holdCredentials } from './user-store.ts'

/** Login keys and sessions end when they were not used for this long … */
const idleDays = 30
/** … and, however much they are used, this long after the login. */
const maxDays = 365

/** When a login key or session ends that began at `createdAt` and is used now. */
export const slidingExpiry = (createdAt: Date, now: Date): Date =>
  new Date(Math.min(now.getTime() + idleDays * dayMs, createdAt.getTime() + maxDays * dayMs))

export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
  /** Seconds the access token lasts. */
  readonly expiresIn: number
}

interface SessionsDeps extends Pick<SliceDeps, 'db' | 'clock'> {
  readonly log: Logger
  readonly accessTokens: AccessTokens
}

/** Makes what a login hands out. Each maker answers undefined when the person's credentials were revoked since `user` was read. */
export const makeSessions = ({ db, clock, log, accessTokens }: SessionsDeps) => {
  const pairFor = async (tx: Tx, session: { id: number; userId: number }, now: Date): Promise<TokenPair> => {
    const { key, hash } = newKey('refresh')
    await insertRefreshToken(tx, { tokenHash: hash, familyId: session.id, createdAt: now })
    const accessToken = await accessTokens.sign({ userId: session.userId, sessionId: session.id })
    return { accessToken, refreshToken: key, expiresIn: accessTokenSeconds }
  }

  return {
    /** @returns a key that stands for the person until it is logged out, or unused for 30 days. */
    issueKey: (user: User, client: Client): Promise<string | undefined> =>
      inTransaction(db, async (tx) => {
        if (!(await holdCredentials(tx, user.id, user.credentialsVersion))) return undefined
        const now = clock.now()
        const { key, hash, prefix } = newKey('login')
        const row = { userId: user.id, kind: 'login', name: '', prefix, keyHash: hash, scopes: null } as const
        await insertKey(tx, { ...row, ...client, createdAt: now, expiresAt: slidingExpiry(now, now) })
        return key
      }),

    /** @returns the first tokens of a new session. */
    open: (user: User, client: Client): Promise<TokenPair | undefined> =>
      inTransaction(db, async (tx) => {
        if (!(await holdCredentials(tx, user.id, user.credentialsVersion))) return undefined
        const now = clock.now()
        const times = { createdAt: now, expiresAt: slidingExpiry(now, now) }
        const session = await insertSession(tx, { userId: user.id, ...times, ...client })
        return pairFor(tx, session, now)
      }),

    /**
     * Exchanges a refresh token for new tokens. Each works once: one that comes back was copied by
     * someone, so the whole session ends (RFC 9700, 4.14.2). Of two at once with the same token one
     * wins and the other counts as such a return; there is no grace period.
     * @returns undefined when the token is unknown, used before, or its session has ended.
     */
    refresh: (refreshToken: string): Promise<TokenPair | undefined> =>
      inTransaction(db, async (tx) => {
        const tokenHash = hashKey(refreshToken)
        const now = clock.now()
        // Held before the token is looked at, and first of the two by everyone: no deadlocks, no ties.
        const session = await lockSessionOf(tx, tokenHash)
        if (session === undefined || session.expiresAt <= now) return undefined
        if (!(await useRefreshToken(tx, tokenHash, now))) {
          await deleteSession(tx, session.id)
          log.warn({ userId: session.userId }, 'refresh_token.reused')
          return undefined
        }
        await extendSession(tx, session.id, { at: now, expiresAt: slidingExpiry(session.createdAt, now) })
        return pairFor(tx, session, now)
      }),
  }
}

export type Sessions = ReturnType<typeof makeSessions>
