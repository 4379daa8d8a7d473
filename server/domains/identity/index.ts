import type { Logger } from 'pino'
import { makeAccessTokens } from '#platform/auth/access-tokens.ts'
import { makeOutsideTokens } from '#platform/auth/outside-tokens.ts'
import { argon2Passwords, type Passwords } from '#platform/auth/passwords.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Authenticate } from '#platform/http/access.ts'
import type { Write } from '#platform/http/idempotency.ts'
import { makeAuthenticator } from './authenticate.ts'
import { forgetExpired } from './credential-store.ts'
import { makeEnsureSuperuser } from './first-superuser.ts'
import { makeVerifyLogin } from './login.ts'
import { identityRoutes } from './routes.ts'
import { makeSaveUser, type DivisionExists, type OnAccessLost } from './save-user.ts'
import { makeSessions } from './sessions.ts'
import { makeThrottle } from './throttle.ts'
import { findUser, holdBackOffice } from './user-store.ts'

/** The settings this domain reads. */
export interface IdentityConfig {
  readonly ADMIN_EMAIL?: string | undefined
  readonly ADMIN_PASSWORD?: string | undefined
  readonly OIDC_ISSUER?: string | undefined
  readonly OIDC_AUDIENCE?: string | undefined
}

export interface IdentityDeps {
  readonly db: Db
  readonly clock: Clock
  readonly write: Write
  readonly log: Logger
  /** Signs access tokens and keys the hashes of typed names; the same in every process. */
  readonly tokenKey: Buffer
  /** Keys whose access tokens are still good, while SECRET_KEY is being changed. */
  readonly earlierTokenKeys?: readonly Buffer[]
  readonly config: IdentityConfig
  /** Where the outside reaches this server, for absolute links. */
  readonly baseUrl: () => string
  /** Without it nobody can be put into a division. */
  readonly divisionExists?: DivisionExists
  readonly onAccessLost?: OnAccessLost
  readonly passwords?: Passwords
}

/** People, their credentials, and who is calling (contract, sections 2 and 11: People). */
export const makeIdentity = (deps: IdentityDeps) => {
  const { db, clock, write, log, tokenKey, config, baseUrl } = deps
  const { passwords = argon2Passwords(), divisionExists = async () => false, earlierTokenKeys = [] } = deps

  const accessTokens = makeAccessTokens({ key: tokenKey, earlierKeys: earlierTokenKeys, clock })
  const throttle = makeThrottle({ db, clock, secret: tokenKey })
  const verifyLogin = makeVerifyLogin({ db, log, passwords, throttle })
  const sessions = makeSessions({ db, clock, log, accessTokens })
  const authenticator = makeAuthenticator({ db, clock, accessTokens, outsideTokens: outsideTokensOf(deps) })
  const saveUser = makeSaveUser({ ...deps, divisionExists })
  const authenticate: Authenticate = async ({ raw }) => (await authenticator(raw.rawHeaders))?.principal

  return {
    authenticate,
    /** For other ways to log in: the same passwords, under the same throttle. */
    verifyLogin,
    /** For what only active staff may have. */
    holdBackOffice,
    routes: identityRoutes({ db, clock, write, baseUrl, authenticator, verifyLogin, sessions, passwords, saveUser }),
    /** Where a person can be written to; undefined for somebody who may not log in any more. */
    emailOf: async (tx: Db | Tx, userId: number | undefined): Promise<string | undefined> => {
      const user = userId === undefined ? undefined : await findUser(tx, userId)
      return user?.isActive === true ? user.email : undefined
    },
    ensureSuperuser: makeEnsureSuperuser({ db, passwords, saveUser, config }),
    /** Removes expired keys, sessions and failed logins. Nothing depends on it but space. */
    async tidy(): Promise<void> {
      await forgetExpired(db, clock.now())
      await throttle.tidy()
    },
  }
}

const outsideTokensOf = ({ config: { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience }, clock, log }: IdentityDeps) =>
  issuer === undefined || audience === undefined ? undefined : makeOutsideTokens({ issuer, audience, clock, log })
