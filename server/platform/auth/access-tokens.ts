import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose'
import type { Clock } from '../clock.ts'
import { newUuid } from './random-keys.ts'

const us = 'waybill'
/** Seconds an access token lasts. It also ends at once when its session does. */
export const accessTokenSeconds = 15 * 60

/** Whose token it is, and of which session. */
export interface AccessClaims {
  readonly userId: number
  readonly sessionId: number
}

export interface AccessTokens {
  sign(claims: AccessClaims): Promise<string>
  /** @returns undefined when it is not ours, was changed, is for something else, or is past its time. */
  verify(jwt: string): Promise<AccessClaims | undefined>
}

export interface AccessTokensDeps {
  readonly key: Buffer
  /** Keys that may have signed before this one: their tokens stay good for as long as they last. */
  readonly earlierKeys?: readonly Buffer[]
  readonly clock: Clock
}

/** Our own JWTs (RFC 7519), HS256 and nothing else: the header of a token never chooses how it is checked (RFC 8725, 3.1). */
export const makeAccessTokens = ({ key, earlierKeys = [], clock }: AccessTokensDeps): AccessTokens => ({
  sign({ userId, sessionId }) {
    const seconds = Math.floor(clock.now().getTime() / 1000)
    return new SignJWT({ sid: String(sessionId) })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(String(userId))
      .setIssuer(us)
      .setAudience(us)
      .setJti(newUuid())
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + accessTokenSeconds)
      .sign(key)
  },

  async verify(jwt) {
    for (const signedWith of [key, ...earlierKeys]) {
      const claims = await verified(jwt, signedWith, clock.now())
      if (claims !== undefined) return claims
    }
    return undefined
  },
})

const verified = async (jwt: string, key: Buffer, now: Date): Promise<AccessClaims | undefined> => {
  try {
    const { payload } = await jwtVerify(jwt, key, {
      algorithms: ['HS256'],
      issuer: us,
      audience: us,
      currentDate: now,
      requiredClaims: ['sub', 'sid', 'exp', 'iat', 'jti'],
    })
    return { userId: Number(payload.sub), sessionId: Number(payload['sid']) }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined
    throw error
  }
}

/** The issuer a JWT claims to be from; undefined when it is no JWT. Nothing of it is verified yet. */
export const claimedIssuer = (jwt: string): string | undefined => {
  try {
    return decodeJwt(jwt).iss
  } catch {
    return undefined
  }
}
