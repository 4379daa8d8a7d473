import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Logger } from 'pino'
import { makeAccessTokens, type AccessTokens } from '#platform/auth/access-tokens.ts'
import { makeOutsideTokens } from '#platform/auth/outside-tokens.ts'
import { argon2Passwords, type Passwords } from '#platform/auth/passwords.ts'
import { makeSessionCookie, type SessionCookie } from '#platform/auth/session-cookie.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Authenticate } from '#platform/http/access.ts'
import type { Audit } from '#platform/http/audit.ts'
import { refuseForged } from '#platform/http/forged-requests.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { makeAudienceCaller, makeLogInFor } from './audience-login.ts'
import { apiKeysRoutes } from './api-keys-routes.ts'
import { authRoutes } from './auth-routes.ts'
import { makeAuthenticator } from './authenticate.ts'
import { cookieSessionRoutes } from './cookie-session-routes.ts'
import { makeChangeOwn } from './change-own.ts'
import { forgetExpired, type KeyAndUser } from './credential-store.ts'
import { makeEnsureSuperuser, makeIsAdminPasswordIgnored } from './first-superuser.ts'
import { find } from './find-store.ts'
import { makeLogIn, makeVerifyLogin } from './login.ts'
import { makeMeOf, type OrganizationsOf } from './me.ts'
import { meRoutes } from './me-routes.ts'
import { makeRemembered, notRemembered, type Remembered } from './remembered.ts'
import { makePasswordLinks } from './password-links.ts'
import { passwordRoutes } from './password-routes.ts'
import { makeSaveUser, type DivisionExists, type OnAccessLost } from './save-user.ts'
import type { LinkMail } from './send-link.ts'
import { makeSessions } from './sessions.ts'
import { makeEndSessions } from './end-sessions.ts'
import { sessionsRoutes } from './sessions-routes.ts'
import { makeThrottle } from './throttle.ts'
import { usersRoutes } from './users-routes.ts'
import { foldName, isBackOffice, type User } from './user.ts'
import {
  anyUser,
  areSeveralUsers,
  findByEmail,
  findSuperusers,
  findUser,
  findUsers,
  findUsersOfDivision,
  holdBackOffice,
} from './user-store.ts'

export { resetByHand } from './reset-by-hand.ts'

/** The settings this domain reads. */
export interface IdentityConfig {
  readonly ADMIN_EMAIL?: string | undefined
  readonly ADMIN_PASSWORD?: string | undefined
  /** Says whether browsers come by TLS. */
  readonly PUBLIC_URL?: string | undefined
  readonly OIDC_ISSUER?: string | undefined
  readonly OIDC_AUDIENCE?: string | undefined
}

export interface IdentityDeps extends SliceDeps {
  readonly log: Logger
  /** Signs access tokens and keys the hashes of typed names; the same in every process. */
  readonly tokenKey: Buffer
  /** Keys whose access tokens are still good, while SECRET_KEY is being changed. */
  readonly earlierTokenKeys?: readonly Buffer[]
  /** Makes the tokens that go with the session cookie. */
  readonly csrfKey: Buffer
  readonly earlierCsrfKeys?: readonly Buffer[]
  readonly config: IdentityConfig
  /** Without it nobody can be put into a division. */
  readonly divisionExists?: DivisionExists
  readonly onAccessLost?: OnAccessLost
  /** Without it nobody belongs to an organization. */
  readonly organizationsOf?: OrganizationsOf
  readonly passwords?: Passwords
  readonly linkMail?: LinkMail
  /** Without it nothing is said of API keys. */
  readonly audit?: Audit
}

/** People, their credentials, and who is calling (contract, sections 2 and 11: People). */
export const makeIdentity = (deps: IdentityDeps) => {
  const { db, clock, log, tokenKey, config } = deps
  const { passwords = argon2Passwords(), divisionExists = async () => false, earlierTokenKeys = [] } = deps
  const meOf = makeMeOf(deps.organizationsOf ?? (async () => []))
  const cookie = sessionCookieOf(deps)
  const { audit = async () => undefined } = deps

  const accessTokens = makeAccessTokens({ key: tokenKey, earlierKeys: earlierTokenKeys, clock })
  const throttle = makeThrottle({ db, clock, secret: tokenKey })
  const verifyLogin = makeVerifyLogin({ db, clock, log, passwords, throttle })
  const logIn = makeLogIn(verifyLogin)
  const sessions = makeSessions({ db, clock, log, accessTokens })
  const remembered = makeRemembered<KeyAndUser>()
  const { authenticator, freshAuthenticator, authenticate } = makeAuthentication(deps, accessTokens, cookie, remembered)
  const saveUser = makeSaveUser({ ...deps, divisionExists })
  const passwordLinks = makePasswordLinks({ ...deps, passwords, throttle, saveUser })
  const changeOwn = makeChangeOwn({ db, passwords, throttle, saveUser })

  return {
    authenticate,
    /** For other ways to log in: the same passwords, under the same throttle. */
    verifyLogin,
    /** For surfaces with access tokens of their own. */
    logInFor: makeLogInFor({ verifyLogin, accessTokens }),
    /** For what only active staff may have. */
    holdBackOffice,
    routes: forgetting(remembered, [
      authRoutes({ db, authenticator, logIn, sessions }),
      cookieSessionRoutes({ db, authenticator, logIn, sessions, cookie, meOf }),
      meRoutes({ authenticator, freshAuthenticator, changeOwn, meOf }),
      passwordRoutes({ passwordLinks }),
      apiKeysRoutes({ ...deps, audit, freshAuthenticator }),
      sessionsRoutes({ ...deps, authenticator, freshAuthenticator, endSessions: makeEndSessions(deps) }),
      usersRoutes({ ...deps, passwords, saveUser, passwordLinks }),
    ]),
    /** Somebody who can be written to; undefined for one who may not log in any more. */
    addresseeOf: async (tx: Db | Tx, userId: number): Promise<User | undefined> => {
      const user = await findUser(tx, userId)
      return user?.isActive === true ? user : undefined
    },
    /** The same, undefined also for somebody who does not work in the back office. */
    staffAddresseeOf: async (tx: Db | Tx, userId: number): Promise<User | undefined> => {
      const user = await findUser(tx, userId)
      return user !== undefined && isBackOffice(user) ? user : undefined
    },
    /** For domains that show people, or give them something. */
    people: {
      /** Somebody who may log in, by e-mail in any case of its letters. */
      async findByEmail(tx: Db | Tx, email: string): Promise<User | undefined> {
        const user = await findByEmail(tx, foldName(email))
        return user?.isActive === true ? user : undefined
      },
      /** These people, those who may not log in any more included. */
      findAll: findUsers,
      /** Superusers who may log in, the first `max` of them. */
      superusers: findSuperusers,
      /** Those who order for a division and may log in, the first `max` of them. */
      ofDivision: findUsersOfDivision,
    },
    anyUser: () => anyUser(db),
    find,
    areSeveralUsers: () => areSeveralUsers(db),
    ensureSuperuser: makeEnsureSuperuser({ db, passwords, saveUser, config }),
    isAdminPasswordIgnored: makeIsAdminPasswordIgnored({ db, passwords, config }),
    /** Removes expired keys, sessions and failed logins. Nothing depends on it but space. */
    tidy: () => tidy(db, clock.now(), throttle),
  }
}

/** Who is calling: with what is remembered, without, and as the guard of all routes asks. */
const makeAuthentication = (
  deps: IdentityDeps,
  accessTokens: AccessTokens,
  cookie: SessionCookie,
  remembered: Remembered<KeyAndUser>,
) => {
  const { db, clock } = deps
  const known = { db, clock, accessTokens, outsideTokens: outsideTokensOf(deps), cookieName: cookie.name }
  const authenticator = makeAuthenticator({ ...known, remembered })
  const audienceCaller = makeAudienceCaller({ db, accessTokens })
  const authenticate: Authenticate = async (request, audience) => {
    const { rawHeaders } = request.raw
    const caller = await authenticator(rawHeaders)
    if (caller?.cookie !== undefined) refuseForged(request, cookie, caller.cookie)
    if (caller !== undefined || audience === undefined) return caller?.principal
    return audienceCaller(rawHeaders, audience)
  }
  return { authenticator, freshAuthenticator: makeAuthenticator({ ...known, remembered: notRemembered }), authenticate }
}

const tidy = async (db: Db, now: Date, throttle: ReturnType<typeof makeThrottle>): Promise<void> => {
  await forgetExpired(db, now)
  await throttle.tidy()
}

/** The routes; whatever one of them may have changed of keys and people is no longer remembered when it answers. */
const forgetting =
  ({ forget }: Remembered<KeyAndUser>, all: readonly FastifyPluginAsyncTypebox[]): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('onSend', async ({ method }) => {
      if (method !== 'GET') forget()
    })
    for (const routes of all) await app.register(routes)
  }

const sessionCookieOf = ({ csrfKey, earlierCsrfKeys = [], config: { PUBLIC_URL } }: IdentityDeps) =>
  makeSessionCookie({ key: csrfKey, earlierKeys: earlierCsrfKeys, publicUrl: PUBLIC_URL })

const outsideTokensOf = ({ config: { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience }, clock, log }: IdentityDeps) =>
  issuer === undefined || audience === undefined ? undefined : makeOutsideTokens({ issuer, audience, clock, log })
