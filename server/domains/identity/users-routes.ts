import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import type { Passwords } from '#platform/auth/passwords.ts'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { errorResponses, IdParams } from '#platform/http/schemas.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { sentFields } from '#platform/sent-fields.ts'
import type { PasswordLinks } from './password-links.ts'
import type { SaveUser } from './save-user.ts'
import { Invitation, NewUser, UserChanges, userToWire, UserView } from './schemas.ts'
import { newUserDefaults, timeZoneName } from './user.ts'
import { findUser, listUsers, userList } from './user-store.ts'

export interface UsersRoutesDeps extends Pick<SliceDeps, 'db' | 'write' | 'baseUrl'> {
  readonly passwords: Passwords
  readonly saveUser: SaveUser
  readonly passwordLinks: PasswordLinks
}

/** No scope: whoever makes users makes superusers, so a limited key would have no limits. */
const operation = operationsFor({ access: { role: 'superuser' }, audited: true })

/** People, for superusers. They are deactivated, never deleted: what they did keeps their name. */
export const usersRoutes =
  ({ db, write, baseUrl, passwords, saveUser, passwordLinks }: UsersRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const kind = { path: '/api/v1/users', route, record: UserView, toWire: userToWire }
    const users = recordRoutes(app, { db, write, baseUrl }, kind)
    users.list(operation('listUsers', 'List users'), userList, listUsers)

    app.post('/api/v1/users', createOptions, async (request, reply) => {
      const { email, password } = request.body
      // Before the transaction opens: hashing takes some 30 ms.
      const passwordHash = password === undefined ? '' : await passwords.hash(password)
      return write(request, reply, async (tx) => {
        const settings = { ...newUserDefaults, ...fromWire(request.body), email, password, passwordHash }
        const user = await saveUser.create(tx, settings)
        const location = `${baseUrl()}/api/v1/users/${user.id}/`
        return { status: 201, body: userToWire(user), headers: { location } }
      })
    })

    app.post('/api/v1/users/:id/invite', inviteOptions, async (request, reply) =>
      write(request, reply, async (tx) => {
        const expiresAt = await passwordLinks.invite(tx, request.params.id)
        return { status: 202, body: { expires_at: expiresAt.toISOString() } }
      }),
    )

    users.get(operation('getUser', 'Read a user'), findUser)

    app.patch('/api/v1/users/:id', updateOptions, async (request, reply) => {
      const { password } = request.body
      const secret = password === undefined ? {} : { password, passwordHash: await passwords.hash(password) }
      return write(request, reply, async (tx) => {
        const before = await findUser(tx, request.params.id)
        if (before !== undefined) request.auditedBefore = userToWire(before)
        const user = await saveUser.change(tx, request.params.id, { ...fromWire(request.body), ...secret })
        return { status: 200, body: userToWire(user) }
      })
    })
  }

/** The fields that a body has, and only those. The password goes its own way. */
const fromWire = (body: Static<typeof UserChanges>) =>
  sentFields({
    email: body.email,
    username: body.username,
    firstName: body.first_name,
    lastName: body.last_name,
    locale: body.locale,
    timeZone: body.time_zone === undefined ? undefined : timeZoneName(body.time_zone),
    isStaff: body.is_staff,
    isSuperuser: body.is_superuser,
    isActive: body.is_active,
    division: body.division,
  })

const route = makeRouteOptions('Users', errorResponses)
const createOptions = route(
  operation('createUser', 'Create a user', 'Without a password nobody logs in by one until an invitation has set it.'),
  { body: NewUser, response: { 201: UserView } },
)
const inviteOptions = route(
  operation(
    'inviteUser',
    'Invite a user who has no password',
    'A link goes to their e-mail, with which they set the first password: once, within seven days. Another invitation ends the one before. Without SMTP_URL the letter is kept, to be handed on: `GET /api/v1/mails/`.',
  ),
  { params: IdParams, response: { 202: Invitation } },
)
const updateOptions = route(
  operation(
    'updateUser',
    'Change, deactivate or reactivate a user',
    'A new password and deactivation end every key and session of the user at once. The hooks of a user who is no longer active staff are switched off. The last active superuser can be neither demoted nor deactivated.',
  ),
  { params: IdParams, body: UserChanges, response: { 200: UserView } },
)
