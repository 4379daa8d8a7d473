import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { textProblem } from '../http/json-body.ts'

/** What we believe of a token that an outside identity provider signed. */
export interface OutsideClaims {
  /** The provider says it has verified that the caller receives mail there. */
  readonly email: string
  readonly expiresAt: Date
}

export interface OutsideTokensOptions {
  /** As in the provider's discovery document and in `iss`, to the letter. */
  readonly issuer: string
  readonly audience: string
  readonly clock: Clock
  readonly log: Logger
}

/** Signatures with a private key. With a shared secret, our copy of the public key could sign (RFC 8725, 2.1). */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
/** How far the provider's clock may be from ours. */
const clockToleranceSeconds = 10
const timeoutMs = 5_000
/** After a failure the provider is left alone this long, so that callers cannot make us hammer it. */
const restMs = 10_000

/** Accepts JWTs of one OpenID Connect provider: keys found by discovery, issuer and audience checked (OpenID Connect Core, 3.1.3.7). */
export const makeOutsideTokens = ({ issuer, audience, clock, log }: OutsideTokensOptions) => {
  const ask = restingFetch(clock)
  let keys: Promise<JWTVerifyGetKey> | undefined

  const providerKeys = (): Promise<JWTVerifyGetKey> => {
    keys ??= discoverKeys(issuer, ask).catch((error: unknown) => {
      keys = undefined
      throw error
    })
    return keys
  }

  return {
    issuer,
    /** @returns undefined when the token is not valid here, or the provider cannot be asked. */
    async verify(jwt: string): Promise<OutsideClaims | undefined> {
      try {
        const { payload } = await jwtVerify(jwt, await providerKeys(), {
          algorithms,
          issuer,
          audience,
          currentDate: clock.now(),
          clockTolerance: clockToleranceSeconds,
          requiredClaims: ['exp', 'email'],
        })
        return claimsOf(payload)
      } catch (error) {
        if (!isFaultOfToken(error)) log.warn({ err: error, issuer }, 'oidc.provider_unavailable')
        return undefined
      }
    },
  }
}

export type OutsideTokens = ReturnType<typeof makeOutsideTokens>

const claimsOf = ({ email, email_verified: verified, exp }: JWTPayload): OutsideClaims | undefined => {
  if (typeof email !== 'string' || verified !== true || exp === undefined) return undefined
  if (email.length > 254 || textProblem(email) !== undefined) return undefined
  // A provider may say the year 300000; no column and no caller needs that.
  return { email, expiresAt: new Date(Math.min(exp * 1000, Date.UTC(9999, 0))) }
}

/** What the key look-up throws when the provider, not the token, is at fault. */
const providerFaults = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'])
const isFaultOfToken = (error: unknown): boolean => error instanceof errors.JOSEError && !providerFaults.has(error.code)

const discoverKeys = async (issuer: string, ask: typeof fetch): Promise<JWTVerifyGetKey> => {
  const answer = await ask(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
  })
  const document: unknown = await answer.json()
  const { issuer: named, jwks_uri: uri } = (document ?? {}) as { issuer?: unknown; jwks_uri?: unknown }
  if (named !== issuer)
    throw new Error(`The identity provider calls itself ${JSON.stringify(named)}; set OIDC_ISSUER to exactly that.`)
  if (typeof uri !== 'string' || !URL.canParse(uri)) throw new Error('The identity provider names no jwks_uri.')
  return createRemoteJWKSet(new URL(uri), { timeoutDuration: timeoutMs, [customFetch]: ask })
}

/** `fetch` that fails at once for a while after it failed. */
const restingFetch = (clock: Clock): typeof fetch => {
  let restUntil = 0
  return async (input, init) => {
    if (clock.now().getTime() < restUntil)
      throw new Error('The identity provider failed a moment ago; it is asked again soon.')
    try {
      const answer = await fetch(input, init)
      if (!answer.ok) throw new Error(`The identity provider answered ${answer.status}.`)
      return answer
    } catch (error) {
      restUntil = clock.now().getTime() + restMs
      throw error
    }
  }
}
