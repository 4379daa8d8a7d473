import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound } from '#platform/errors.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { makeMemberWrite, memberAccess } from '../access/index.ts'
import type { Dependencies, People, Person } from '../dependencies.ts'
import { makeMemberChanges } from './change-members.ts'
import { findMembership, listMemberships, type Membership } from './members-store.ts'
import * as schemas from './schemas.ts'

const collection = '/api/v1/organizations/:organizationId/members'
const one = `${collection}/:userId`

export const memberRoutes =
  ({ db, clock, write, baseUrl, people }: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const changes = makeMemberChanges({ clock, people })
    const writeAlone = makeMemberWrite(write, 'alone')

    const list = { schema: schemas.listMembersSchema, config: memberAccess('listMembers', 'projects:read') }
    app.get(collection, list, async (request, reply) => {
      const found = await listMemberships(db, request.query, request.member.organizationId)
      return sendList(reply, baseUrl(), { ...found, rows: await toRecords(people, db, found.rows) })
    })

    const add = { schema: schemas.addMemberSchema, config: memberAccess('addMember', 'projects:write') }
    app.post(collection, add, async (request, reply) =>
      writeAlone(request, reply, async (tx, member) => {
        const { email, role } = request.body
        const { membership, person } = await changes.add(tx, member, email, role)
        const location = `${baseUrl()}/api/v1/organizations/${member.organizationId}/members/${person.id}`
        return { status: 201, body: memberToWire(membership, person), headers: { location } }
      }),
    )

    const get = { schema: schemas.getMemberSchema, config: memberAccess('getMember', 'projects:read') }
    app.get(one, get, async ({ member: { organizationId }, params }) => {
      const membership = orNotFound(await findMembership(db, { organizationId, userId: userIdOf(params.userId) }))
      return (await toRecords(people, db, [membership]))[0]
    })

    const update = { schema: schemas.updateMemberSchema, config: memberAccess('updateMember', 'projects:write') }
    app.patch(one, update, async (request, reply) => {
      const userId = userIdOf(request.params.userId)
      return writeAlone(request, reply, async (tx, member) => {
        const membership = await changes.change(tx, member, userId, request.body.role)
        return { status: 200, body: (await toRecords(people, tx, [membership]))[0] }
      })
    })

    const remove = { schema: schemas.removeMemberSchema, config: memberAccess('removeMember', 'projects:write') }
    app.delete(one, remove, async (request, reply) => {
      const userId = userIdOf(request.params.userId)
      return writeAlone(request, reply, async (tx, member) => {
        await changes.remove(tx, member, userId)
        return { status: 204 }
      })
    })
  }

/** Each member with what the domain of people knows of them. */
const toRecords = async (people: People, db: Db | Tx, memberships: readonly Membership[]) => {
  const ids = memberships.map(({ userId }) => userId)
  const known = new Map((await people.findAll(db, ids)).map((person) => [person.id, person]))
  return memberships.map((membership) => memberToWire(membership, known.get(membership.userId) ?? nobody))
}

/** People are never removed, so this shows only if somebody did that behind the server's back. */
const nobody = { email: '', firstName: '', lastName: '' }

/** @throws AppError 400 that names the parameter. */
const userIdOf = (text: string): number => {
  const id = Number(text)
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(id))
    throw invalidField('userId', 'Expected a positive integer.')
  return id
}

/** The member as the API shows it. */
const memberToWire = (
  { userId, role, createdAt, updatedAt }: Membership,
  { email, firstName, lastName }: Omit<Person, 'id' | 'isActive'>,
) => ({
  userId,
  email,
  firstName,
  lastName,
  role,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
