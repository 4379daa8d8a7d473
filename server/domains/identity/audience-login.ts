import type { AccessTokens } from '#platform/auth/access-tokens.ts'
import { presentedCredential } from '#platform/auth/presented-credential.ts'
import type { Audience, Principal } from '#platform/auth/principal.ts'
import type { Db } from '#platform/db/database.ts'
import type { VerifyLogin } from './login.ts'
import { tooManyFailures } from './throttle.ts'
import { principalOf } from './user.ts'
import { findUser } from './user-store.ts'

/**
 * Logs in at a surface that has tokens of its own. Throttled with every other login.
 * @param username e-mail or user name.
 * @param address where from.
 * @returns an access token; undefined when the credentials are not valid, never saying which part was wrong.
 * @throws AppError 429 after too many failures, whatever was sent.
 */
export type LogInFor = (
  audience: Audience,
) => (username: string, password: string, address: string) => Promise<string | undefined>

export const makeLogInFor =
  ({ verifyLogin, accessTokens }: { verifyLogin: VerifyLogin; accessTokens: AccessTokens }): LogInFor =>
  (audience) =>
  async (username, password, address) => {
    const result = await verifyLogin(username, password, address)
    // With the version that the password was checked at: a revocation since then ends this token too.
    if (result.ok) {
      const { id, credentialsVersion } = result.user
      return accessTokens.signFor(audience, { userId: id, credentialsVersion })
    }
    if (result.reason === 'throttled') throw tooManyFailures(result.retryAfterSeconds)
    return undefined
  }

/**
 * Who calls with a token of one surface. Nothing of such a token is stored; its owner is read on every request, so
 * that deactivation, demotion and whatever revokes all of their credentials work at once.
 * @returns undefined for anything but one valid token of this audience.
 */
export const makeAudienceCaller =
  ({ db, accessTokens }: { readonly db: Db; readonly accessTokens: AccessTokens }) =>
  async (rawHeaders: readonly string[], audience: Audience): Promise<Principal | undefined> => {
    const presented = presentedCredential(rawHeaders)
    if (presented.kind !== 'jwt') return undefined
    const claims = await accessTokens.verifyFor(audience, presented.text)
    if (claims === undefined) return undefined
    const user = await findUser(db, claims.userId)
    if (user === undefined || !user.isActive || user.credentialsVersion !== claims.credentialsVersion) return undefined
    return principalOf(user, null)
  }
