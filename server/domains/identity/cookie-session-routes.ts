import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { clientOf } from '#platform/auth/client.ts'
import type { SessionCookie } from '#platform/auth/session-cookie.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { notAuthenticated } from '#platform/errors.ts'
import { refuseOfOtherSites } from '#platform/http/forged-requests.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import type { Authenticator } from './authenticate.ts'
import { deleteKey } from './credential-store.ts'
import { wrongCredentials, type LogIn } from './login.ts'
import type { MeOf } from './me.ts'
import { CookieSession, LoginBody } from './schemas.ts'
import type { Sessions } from './sessions.ts'
import { principalOf } from './user.ts'

interface CookieSessionRoutesDeps {
  readonly db: Db
  readonly authenticator: Authenticator
  readonly logIn: LogIn
  readonly sessions: Sessions
  readonly cookie: SessionCookie
  readonly meOf: MeOf
}

/** Logging in and out in a browser, which keeps the login key in a cookie. */
export const cookieSessionRoutes = (deps: CookieSessionRoutesDeps): FastifyPluginAsyncTypebox => {
  const { db, authenticator, logIn, sessions, cookie, meOf } = deps
  const callerOf = async ({ raw }: FastifyRequest) => {
    const caller = await authenticator(raw.rawHeaders)
    if (caller?.cookie === undefined) throw notAuthenticated('This request has no session cookie.')
    return { ...caller, cookie: caller.cookie }
  }

  return async (app) => {
    app.post('/api/v1/auth/session', beginOptions, async (request, reply) => {
      refuseOfOtherSites(request)
      const { ip, headers, body } = request
      const user = await logIn(body.username, body.password, ip)
      const key = await sessions.issueKey(user, clientOf({ ip, agent: headers['user-agent'] }))
      if (key === undefined) throw wrongCredentials()
      void reply.header('set-cookie', cookie.setTo(key))
      return { csrf_token: cookie.csrfToken(key), ...(await meOf(user, principalOf(user, null))) }
    })

    app.get('/api/v1/auth/session', readOptions, async (request) => {
      const { user, principal, cookie: key } = await callerOf(request)
      return { csrf_token: cookie.csrfToken(key), ...(await meOf(user, principal)) }
    })

    app.delete('/api/v1/auth/session', endOptions, async (request, reply) => {
      const { credential } = await callerOf(request)
      if (credential.kind === 'key') await inTransaction(db, (tx) => deleteKey(tx, credential.id))
      return reply.header('set-cookie', cookie.cleared).code(204).send(null)
    })
  }
}

const own = operationsFor({ access: { role: 'user', scope: 'any' } })
const route = makeRouteOptions('Authentication', errorResponses)
const beginOptions = route(
  operationsFor({ access: 'public', also: [403, 429] })(
    'createCookieSession',
    'Log in with a cookie',
    'For pages in a browser. The cookie `waybill_session` (`__Host-waybill_session` where `PUBLIC_URL` is https) holds a login key, out of reach of scripts, and is as good as that everywhere. Every method but GET, HEAD and OPTIONS then needs the header `x-csrf-token` with the `csrf_token` of this answer, else it is 403. A request with another credential ignores the cookie. Throttled with all other logins.',
  ),
  { body: LoginBody, response: { 200: CookieSession } },
)
const readOptions = route(
  own('getCookieSession', 'Who is logged in by the cookie', '401 where there is no cookie, or another credential.'),
  { response: { 200: CookieSession } },
)
const endOptions = route(
  own('endCookieSession', 'Log out of the session of the cookie', 'Ends its login key, and removes the cookie.'),
  { response: { 204: Type.Null() } },
)
