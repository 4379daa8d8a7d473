import { claimedIssuer, type AccessTokens } from '#platform/auth/access-tokens.ts'
import type { OutsideTokens } from '#platform/auth/outside-tokens.ts'
import { presentedCredential } from '#platform/auth/presented-credential.ts'
import type { Principal } from '#platform/auth/principal.ts'
import { hashKey } from '#platform/auth/random-keys.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { findKeyAndUser, isRefused, noteUse, type AccessKey, type KeyAndUser } from './credential-store.ts'
import type { Remembered } from './remembered.ts'
import { findSessionUser, noteSessionUse } from './session-store.ts'
import { slidingExpiry } from './sessions.ts'
import { foldName, principalOf, type User } from './user.ts'
import { findByEmail } from './user-store.ts'

/**
 * How the caller proved who they are; what a logout takes back. `latest` is when an API key ends that its
 * maker gave an end: nothing made with it may last longer. Logins make keys of any length.
 */
export type Credential =
  | { readonly kind: 'key'; readonly id: number; readonly latest: Date | null }
  | { readonly kind: 'session'; readonly id: number }
  /** A token of the outside identity provider. */
  | { readonly kind: 'outside'; readonly tokenHash: string; readonly expiresAt: Date }

export interface Caller {
  readonly principal: Principal
  readonly user: User
  readonly credential: Credential
  /** What the cookie holds, when that is what authenticates. */
  readonly cookie?: string
}

interface AuthenticatorDeps extends Pick<SliceDeps, 'db' | 'clock'> {
  readonly accessTokens: AccessTokens
  /** Absent: no outside provider is set. */
  readonly outsideTokens: OutsideTokens | undefined
  /** Of the cookie that counts. */
  readonly cookieName: string
  readonly remembered: Pick<Remembered<KeyAndUser>, 'get' | 'forgetOne'>
}

/** How often a use of a key or of a session is written down. */
const noteEveryMs = 60_000

/**
 * The one authenticator. A key and its owner are remembered for a second, and until something is written here that may
 * change either: deactivation, demotion and revocation work at once in the process that does them, and within a second in
 * others. The owner of any other credential is read on every request.
 * @returns a function from a request's raw headers to the caller; undefined for anything but one valid credential.
 */
export const makeAuthenticator = (deps: AuthenticatorDeps) => {
  const { db, clock, accessTokens, outsideTokens, cookieName, remembered } = deps
  const lookUp = (keyHash: string) => findKeyAndUser(db, keyHash, clock.now())
  const byKey = async (text: string): Promise<Caller | undefined> => {
    const keyHash = hashKey(text)
    const found = await remembered.get(keyHash, lookUp)
    if (found === undefined || (found.key.expiresAt !== null && found.key.expiresAt <= clock.now())) return undefined
    const { key, user } = found
    const now = clock.now()
    const before = new Date(now.getTime() - noteEveryMs)
    if (key.lastUsedAt === null || key.lastUsedAt <= before) {
      await noteUse(db, key.id, { at: now, before, expiresAt: expiryAfterUse(key, now) })
      remembered.forgetOne(keyHash)
    }
    const latest = key.kind === 'api' ? key.expiresAt : null
    return { user, principal: principalOf(user, key.scopes), credential: { kind: 'key', id: key.id, latest } }
  }

  const byOurToken = async (jwt: string): Promise<Caller | undefined> => {
    const claims = await accessTokens.verify(jwt)
    if (claims === undefined) return undefined
    const { userId, sessionId: id } = claims
    const now = clock.now()
    const found = await findSessionUser(db, { id, userId }, now)
    if (found === undefined) return undefined
    const { user, lastUsedAt } = found
    const before = new Date(now.getTime() - noteEveryMs)
    if (lastUsedAt === null || lastUsedAt <= before) await noteSessionUse(db, id, { at: now, before })
    return { user, principal: principalOf(user, null), credential: { kind: 'session', id } }
  }

  const byOutsideToken = async (jwt: string): Promise<Caller | undefined> => {
    const claims = await outsideTokens?.verify(jwt)
    if (claims === undefined) return undefined
    const tokenHash = hashKey(jwt)
    if (await isRefused(db, tokenHash)) return undefined
    const user = await findByEmail(db, foldName(claims.email))
    if (user === undefined || !user.isActive) return undefined
    return {
      user,
      principal: principalOf(user, null),
      credential: { kind: 'outside', tokenHash, expiresAt: claims.expiresAt },
    }
  }

  return async (rawHeaders: readonly string[]): Promise<Caller | undefined> => {
    const presented = presentedCredential(rawHeaders, cookieName)
    if (presented.kind === 'none' || presented.kind === 'unusable') return undefined
    if (presented.kind === 'key') return byKey(presented.text)
    if (presented.kind === 'cookie') {
      const caller = await byKey(presented.text)
      return caller && { ...caller, cookie: presented.text }
    }
    const issuer = claimedIssuer(presented.text)
    return issuer !== undefined && issuer === outsideTokens?.issuer
      ? byOutsideToken(presented.text)
      : byOurToken(presented.text)
  }
}

export type Authenticator = ReturnType<typeof makeAuthenticator>

/** Use prolongs a login key; an API key ends when its maker said. */
const expiryAfterUse = ({ kind, createdAt, expiresAt }: AccessKey, now: Date): Date | null =>
  kind === 'login' ? slidingExpiry(createdAt, now) : expiresAt
