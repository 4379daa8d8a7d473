import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { notAuthenticated, orNotFound } from '#platform/errors.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses, Id, IdParams } from '#platform/http/schemas.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import type { Page } from '#platform/lists/page.ts'
import { sendList } from '#platform/lists/send-list.ts'
import type { Authenticator, Credential } from './authenticate.ts'
import type { EndSessions } from './end-sessions.ts'
import { SessionView, sessionToWire } from './schemas.ts'
import { sessionIdOf } from './session-id.ts'
import { listSessions, sessionList } from './session-list-store.ts'
import { findUser } from './user-store.ts'

export interface SessionsRoutesDeps extends Pick<SliceDeps, 'db' | 'clock' | 'baseUrl'> {
  readonly authenticator: Authenticator
  /** Remembers nothing: for what ends credentials. */
  readonly freshAuthenticator: Authenticator
  readonly endSessions: EndSessions
}

/** No scope: what a limited key can do must not reach the logins of people. */
const mine = operationsFor({ access: { role: 'user' } })
const anyones = operationsFor({ access: { role: 'superuser' } })

/** The logins that go on: one's own, and for superusers everybody's. */
export const sessionsRoutes = (deps: SessionsRoutesDeps): FastifyPluginAsyncTypebox => {
  const { db, clock, baseUrl, authenticator, freshAuthenticator, endSessions } = deps
  const callerOf = async ({ raw }: FastifyRequest, find: Authenticator) => {
    const caller = await find(raw.rawHeaders)
    if (caller === undefined) throw notAuthenticated()
    return caller
  }
  const send = async (request: FastifyRequest, reply: FastifyReply, query: Page, userId: number) => {
    const current = currentId((await callerOf(request, authenticator)).credential)
    const found = await listSessions(db, query, userId, clock.now())
    return sendList(reply, baseUrl(), found, (row) => sessionToWire({ ...row, isCurrent: row.id === current }))
  }
  const endOthers = async (request: FastifyRequest, reply: FastifyReply, userId: number) => {
    await endSessions.others(userId, await callerOf(request, freshAuthenticator))
    return reply.code(204).send(null)
  }

  return async (app) => {
    app.get('/api/v1/auth/sessions', listOptions, (request, reply) =>
      send(request, reply, request.query, request.principal.userId),
    )
    app.delete('/api/v1/auth/sessions', endOthersOptions, (request, reply) =>
      endOthers(request, reply, request.principal.userId),
    )
    app.delete('/api/v1/auth/sessions/:id', endOptions, async (request, reply) => {
      const { userId } = request.principal
      await endSessions.one(userId, request.params.id, userId)
      return reply.code(204).send(null)
    })

    app.get('/api/v1/users/:id/sessions', listOfUserOptions, async (request, reply) => {
      const { id } = orNotFound(await findUser(db, request.params.id))
      return send(request, reply, request.query, id)
    })
    app.delete('/api/v1/users/:id/sessions', endAllOfUserOptions, (request, reply) =>
      endOthers(request, reply, request.params.id),
    )
    app.delete('/api/v1/users/:id/sessions/:session', endOfUserOptions, async (request, reply) => {
      const { id, session } = request.params
      await endSessions.one(id, session, request.principal.userId)
      return reply.code(204).send(null)
    })
  }
}

/** The session that a request belongs to. That of an API key or an outside token is in no list. */
const currentId = (credential: Credential): number | undefined => {
  if (credential.kind === 'outside') return undefined
  return sessionIdOf({ kind: credential.kind === 'key' ? 'key' : 'token', id: credential.id })
}

const UserSessionParams = Type.Object({
  id: Type.Integer({ ...Id, description: 'Id of the user.' }),
  session: Type.Integer({ ...Id, description: 'Id of the session.' }),
})
const ended = { 204: Type.Null() }
const list = { querystring: sessionList.querystring, response: { 200: Type.Array(SessionView) } }

const route = makeRouteOptions('Authentication', errorResponses)
const listOptions = route(
  mine(
    'listSessions',
    'List my sessions',
    'Logins that go on: login keys, and tokens that descend from one login. API keys and tokens of an outside provider are none.',
  ),
  list,
)
const endOptions = route(
  mine('endSession', 'End one of my sessions', 'Requests with its key or tokens are 401 from now on.'),
  { params: IdParams, response: ended },
)
const endOthersOptions = route(
  mine(
    'endOtherSessions',
    'End all my other sessions',
    'All but the one that this request belongs to, tokens of single surfaces and logins that are being made at this moment too. API keys stay.',
  ),
  { response: ended },
)

const usersRoute = makeRouteOptions('Users', errorResponses)
const listOfUserOptions = usersRoute(anyones('listUserSessions', 'List the sessions of a user'), {
  params: IdParams,
  ...list,
})
const endOfUserOptions = usersRoute(
  anyones('endUserSession', 'End a session of a user', 'Requests with its key or tokens are 401 from now on.'),
  { params: UserSessionParams, response: ended },
)
const endAllOfUserOptions = usersRoute(
  anyones(
    'endUserSessions',
    'End all sessions of a user',
    'Tokens of single surfaces and logins that are being made at this moment too. API keys stay, and so does the session that this request belongs to.',
  ),
  { params: IdParams, response: ended },
)
