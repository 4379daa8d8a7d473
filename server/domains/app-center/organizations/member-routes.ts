import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db, Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound } from '#platform/errors.ts'
import { recordRoutes } from '#platform/http/record-routes.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { changing, makeMemberWrite, reading } from '../access/index.ts'
import type { Dependencies, People, Person } from '../dependencies.ts'
import { projectErrors } from '../schemas.ts'
import { makeMemberChanges } from './change-members.ts'
import { findMembership, listMemberships, memberList, type Membership } from './members-store.ts'
import { MemberChanges, MemberParams, MemberRecord, NewMember, OrganizationParams } from './schemas.ts'

const path = '/api/v1/organizations/:organizationId/members'
const route = makeRouteOptions('Organization members', projectErrors)

export const memberRoutes =
  (dependencies: Dependencies): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { people } = dependencies
    const changes = makeMemberChanges(dependencies)
    const write = makeMemberWrite(dependencies.write, 'alone')
    const members = recordRoutes(
      app,
      { ...dependencies, write },
      {
        path,
        params: OrganizationParams,
        one: { path: `${path}/:userId`, params: MemberParams, idOf: ({ params }) => userIdOf(params) },
        route,
        record: MemberRecord,
        toWire: makeToWire<ShownMember, typeof MemberRecord>(MemberRecord, {}),
        pathOf: ({ userId }, { member }) => `/api/v1/organizations/${member.organizationId}/members/${userId}`,
      },
    )

    members.list(
      reading('listMembers', 'List the members of an organization'),
      memberList,
      async (db, query, { member }) => {
        const found = await listMemberships(db, query, member.organizationId)
        return { ...found, rows: await toRecords(people, db, found.rows) }
      },
    )
    const add = changing('addMember', 'Add a member', 'Only an owner makes owners.')
    members.create(add, NewMember, async (tx, { email, role }, { member }) => {
      const { membership, person } = await changes.add(tx, member, email, role)
      return { ...membership, ...shownOf(person) }
    })
    members.get(reading('getMember', 'Read a member'), async (db, userId, { member: { organizationId } }) => {
      const membership = orNotFound(await findMembership(db, { organizationId, userId }))
      return (await toRecords(people, db, [membership]))[0]
    })
    members.update(update, MemberChanges, async (tx, userId, { role }, { member }) => {
      const membership = await changes.change(tx, member, userId, role)
      return (await toRecords(people, tx, [membership]))[0]
    })
    members.remove(remove, (tx, userId, { member }) => changes.remove(tx, member, userId))
  }

const update = changing(
  'updateMember',
  'Change the role of a member',
  'It counts from the next request on. Only an owner changes owners; the last owner stays one.',
)
const remove = changing(
  'removeMember',
  'Remove a member, or leave',
  'Anybody may leave, but the last owner. Removing others takes an admin, and removing owners an owner.',
)

type Shown = Pick<Person, 'email' | 'firstName' | 'lastName'>
type ShownMember = Membership & Shown
const shownOf = ({ email, firstName, lastName }: Shown): Shown => ({ email, firstName, lastName })

/** Each member with what the domain of people knows of them. */
const toRecords = async (people: People, db: Db | Tx, memberships: readonly Membership[]): Promise<ShownMember[]> => {
  const ids = memberships.map(({ userId }) => userId)
  const known = new Map((await people.findAll(db, ids)).map((person) => [person.id, person]))
  return memberships.map((membership) => ({ ...membership, ...shownOf(known.get(membership.userId) ?? nobody) }))
}

/** People are never removed, so this shows only if somebody did that behind the server's back. */
const nobody = { email: '', firstName: '', lastName: '' }

/** @throws AppError 400 that names the parameter. */
const userIdOf = (params: unknown): number => {
  const { userId: text } = params as { readonly userId: string }
  const id = Number(text)
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(id))
    throw invalidField('userId', 'Expected a positive integer.')
  return id
}
