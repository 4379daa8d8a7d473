import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { notAuthenticated } from '#platform/errors.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { sentFields } from '#platform/sent-fields.ts'
import type { Authenticator } from './authenticate.ts'
import type { ChangeOwn } from './change-own.ts'
import type { MeOf } from './me.ts'
import { Me, MyChanges } from './schemas.ts'
import { timeZoneName } from './user.ts'

export interface MeRoutesDeps {
  readonly authenticator: Authenticator
  /** Remembers nothing: for what ends credentials. */
  readonly freshAuthenticator: Authenticator
  readonly changeOwn: ChangeOwn
  readonly meOf: MeOf
}

/** Who the caller is, and what they change of themselves. */
export const meRoutes = ({
  authenticator,
  freshAuthenticator,
  changeOwn,
  meOf,
}: MeRoutesDeps): FastifyPluginAsyncTypebox => {
  return async (app) => {
    app.get('/api/v1/auth/me', meOptions, async (request) => {
      const { user, principal } = await callerOf(request, authenticator)
      return meOf(user, principal)
    })

    app.patch('/api/v1/auth/me', changeMeOptions, async (request) => {
      const { password, current_password: currentPassword, ...body } = request.body
      const caller = await callerOf(request, freshAuthenticator)
      const changes = sentFields({
        firstName: body.first_name,
        lastName: body.last_name,
        locale: body.locale,
        timeZone: body.time_zone === undefined ? undefined : timeZoneName(body.time_zone),
      })
      return meOf(await changeOwn(caller, changes, { password, currentPassword }), caller.principal)
    })
  }
}

const callerOf = async ({ raw }: FastifyRequest, find: Authenticator) => {
  const caller = await find(raw.rawHeaders)
  if (caller === undefined) throw notAuthenticated()
  return caller
}

const route = makeRouteOptions('Authentication', errorResponses)
const meOptions = route(
  operationsFor({ access: { role: 'user', scope: 'any' } })(
    'getMe',
    'Who is calling',
    'Whatever it authenticates with. A key that is limited shows its `scopes`.',
  ),
  { response: { 200: Me } },
)
const changeMeOptions = route(
  operationsFor({ access: { role: 'user' }, also: [429] })(
    'updateMe',
    'Change my names, words, time zone or password',
    'A new password takes `current_password` as well, and ends every other login key and session of mine; API keys stay. After ten wrong ones in 15 minutes the answer is 429. Whoever has no password yet, or has lost it, asks for a reset.',
  ),
  { body: MyChanges, response: { 200: Me } },
)
