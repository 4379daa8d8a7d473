import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { invalidFields, notAuthenticated } from '#platform/errors.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import type { Authenticator, Credential } from './authenticate.ts'
import { clientOf } from '#platform/auth/client.ts'
import { deleteKey, refuseToken } from './credential-store.ts'
import { wrongCredentials, type LogIn } from './login.ts'
import { LoginBody, LoginKey, TokenAnswer, TokenBody } from './schemas.ts'
import { deleteSession } from './session-store.ts'
import type { Sessions, TokenPair } from './sessions.ts'

export interface AuthRoutesDeps {
  readonly db: Db
  readonly authenticator: Authenticator
  readonly logIn: LogIn
  readonly sessions: Sessions
}

/** Logging in and out. */
export const authRoutes = ({ db, authenticator, logIn, sessions }: AuthRoutesDeps): FastifyPluginAsyncTypebox => {
  const callerOf = async ({ raw }: FastifyRequest) => {
    const caller = await authenticator(raw.rawHeaders)
    if (caller === undefined) throw notAuthenticated()
    return caller
  }

  return async (app) => {
    app.post('/api/v1/auth/login', loginOptions, async (request) => {
      const user = await logIn(request.body.username, request.body.password, request.ip)
      const key = await sessions.issueKey(user, clientFrom(request))
      if (key === undefined) throw wrongCredentials()
      return { key }
    })

    app.post('/api/v1/auth/token', tokenOptions, async (request) => {
      const grant = tokenGrantOf(request.body)
      if (grant.kind === 'refresh') {
        const pair = await sessions.refresh(grant.refreshToken)
        if (pair === undefined) throw notAuthenticated('Invalid refresh token.')
        return pairToWire(pair)
      }
      const user = await logIn(grant.username, grant.password, request.ip)
      const pair = await sessions.open(user, clientFrom(request))
      if (pair === undefined) throw wrongCredentials()
      return pairToWire(pair)
    })

    app.post('/api/v1/auth/logout', logoutOptions, async (request, reply) => {
      const { credential } = await callerOf(request)
      await revoke(db, credential)
      return reply.code(204).send(null)
    })
  }
}

const clientFrom = ({ ip, headers }: FastifyRequest) => clientOf({ ip, agent: headers['user-agent'] })

/** Takes a credential back for good: a key, the whole session of an access token, or an outside token. */
const revoke = (db: Db, credential: Credential): Promise<void> =>
  inTransaction(db, async (tx) => {
    switch (credential.kind) {
      case 'key':
        return deleteKey(tx, credential.id)
      case 'session':
        return deleteSession(tx, credential.id)
      case 'outside':
        return refuseToken(tx, credential.tokenHash, credential.expiresAt)
    }
  })

/** The two ways to ask for access tokens. */
type TokenGrant =
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  | { readonly kind: 'refresh'; readonly refreshToken: string }

/** Which of the two a request means. @throws AppError 400 when it is neither, or both. */
export const tokenGrantOf = (body: Static<typeof TokenBody>): TokenGrant => {
  const { username, password, refresh_token: refreshToken } = body
  if (refreshToken === undefined) {
    if (username !== undefined && password !== undefined) return { kind: 'password', username, password }
    const missing = Object.entries({ username, password }).filter(([, value]) => value === undefined)
    throw invalidFields(Object.fromEntries(missing.map(([name]) => [name, ['This field is required.']])))
  }
  if (username === undefined && password === undefined) return { kind: 'refresh', refreshToken }
  throw invalidFields({ refresh_token: ['Send either a refresh token or a user name and password.'] })
}

/** Whoever it is may log out, whatever their key is limited to. */
const own = operationsFor({ access: { role: 'user', scope: 'any' } })
const open = operationsFor({ access: 'public', also: [429] })

const pairToWire = ({ accessToken, refreshToken, expiresIn }: TokenPair) => ({
  access_token: accessToken,
  token_type: 'Bearer' as const,
  expires_in: expiresIn,
  refresh_token: refreshToken,
})

const route = makeRouteOptions('Authentication', errorResponses)
const loginOptions = route(
  open(
    'login',
    'Log in for a key',
    'Send the key as `Authorization: Token <key>`. It ends 30 days after its last use, and a year after the login. Ten failures in 15 minutes, for one account or from one address, are answered with 429 until the first of them is 15 minutes old.',
  ),
  { body: LoginBody, response: { 200: LoginKey } },
)
const tokenOptions = route(
  operationsFor({ access: 'public', also: [401, 429] })(
    'createToken',
    'Log in for access tokens, or refresh them',
    'With a user name and password: the first tokens of a session. With a refresh token: the next ones; each refresh token works once, and one that comes back ends its session. Sessions end 30 days after the last refresh, and a year after the login.',
  ),
  { body: TokenBody, response: { 200: TokenAnswer } },
)
const logoutOptions = route(
  own(
    'logout',
    'Log out',
    'Revokes the credential of this request: the key, or the whole session of the access token.',
  ),
  { response: { 204: Type.Null() } },
)
