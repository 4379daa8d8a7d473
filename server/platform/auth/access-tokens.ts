import { decodeJwt, errors, jwtVerify, SignJWT, type JWTPayload } from 'jose'
import type { Clock } from '../clock.ts'
import type { Audience } from './principal.ts'
import { newUuid } from './random-keys.ts'

const us = 'waybill'
/** Seconds an access token lasts. It also ends at once with its session, or with its owner's credentials. */
export const accessTokenSeconds = 15 * 60

/** Whose token it is, and of which session. */
export interface AccessClaims {
  readonly userId: number
  readonly sessionId: number
}

/** Whose token it is that one surface alone accepts. It belongs to no session. */
export interface AudienceClaims {
  readonly userId: number
  /** That of the person at the login: everything that revokes their credentials leaves it behind. */
  readonly credentialsVersion: number
}

export interface AccessTokensDeps {
  readonly key: Buffer
  /** Keys that may have signed before this one: their tokens stay good for as long as they last. */
  readonly earlierKeys?: readonly Buffer[]
  readonly clock: Clock
}

/** Our own JWTs (RFC 7519), HS256 and nothing else: the header of a token never chooses how it is checked (RFC 8725, 3.1). */
export const makeAccessTokens = ({ key, earlierKeys = [], clock }: AccessTokensDeps) => {
  const sign = (audience: string, userId: number, claims: Readonly<Record<string, string | number>>) => {
    const seconds = Math.floor(clock.now().getTime() / 1000)
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(String(userId))
      .setIssuer(us)
      .setAudience(audience)
      .setJti(newUuid())
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + accessTokenSeconds)
      .sign(key)
  }

  const verify = async (audience: string, jwt: string, claim: string): Promise<JWTPayload | undefined> => {
    for (const signedWith of [key, ...earlierKeys]) {
      const payload = await verified(jwt, signedWith, { audience, claim, now: clock.now() })
      if (payload !== undefined) return payload
    }
    return undefined
  }

  return {
    sign: ({ userId, sessionId }: AccessClaims) => sign(us, userId, { sid: String(sessionId) }),

    /** @returns undefined when it is not ours, was changed, is for something else, or is past its time. */
    async verify(jwt: string): Promise<AccessClaims | undefined> {
      const payload = await verify(us, jwt, 'sid')
      return payload && { userId: Number(payload.sub), sessionId: Number(payload['sid']) }
    },

    /** Signs a token that `verify` refuses, and `verifyFor` every other audience. */
    signFor: (audience: Audience, { userId, credentialsVersion }: AudienceClaims) =>
      sign(audienceOf(audience), userId, { ver: credentialsVersion }),

    /** @returns undefined when it is not ours, was changed, is not for this audience, or is past its time. */
    async verifyFor(audience: Audience, jwt: string): Promise<AudienceClaims | undefined> {
      const payload = await verify(audienceOf(audience), jwt, 'ver')
      return payload && { userId: Number(payload.sub), credentialsVersion: Number(payload['ver']) }
    },
  }
}

export type AccessTokens = ReturnType<typeof makeAccessTokens>

/** `aud` of a surface's own tokens; that of all the others is our bare name (RFC 8725, 3.9). */
const audienceOf = (audience: Audience): string => `${us}:${audience}`

const verified = async (
  jwt: string,
  key: Buffer,
  { audience, claim, now }: { readonly audience: string; readonly claim: string; readonly now: Date },
): Promise<JWTPayload | undefined> => {
  try {
    const { payload } = await jwtVerify(jwt, key, {
      algorithms: ['HS256'],
      issuer: us,
      audience,
      currentDate: now,
      requiredClaims: ['sub', claim, 'exp', 'iat', 'jti'],
    })
    return payload
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
