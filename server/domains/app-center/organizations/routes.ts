import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Db, Tx } from '#platform/db/database.ts'
import { forbidden, invalidField, orNotFound } from '#platform/errors.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { newObjectId } from '#platform/object-ids.ts'
import { realChanges } from '#platform/sent-fields.ts'
import { makeMemberWrite, memberAccess, type Member, type Role } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { findMembership, insertMembership } from './members-store.ts'
import * as schemas from './schemas.ts'
import {
  deleteOrganization,
  findOrganization,
  insertOrganization,
  listOrganizations,
  updateOrganization,
  type Organization,
  type OrganizationFields,
} from './store.ts'

interface OrganizationRoutesDeps extends Dependencies {
  /** Ends what an organization has outside the rows that go with it. */
  readonly endContents: (tx: Tx, organizationId: string) => Promise<void>
}

const collection = '/api/v1/organizations'
const one = `${collection}/:organizationId`

export const organizationRoutes =
  ({ db, clock, write, baseUrl, endContents }: OrganizationRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const writeAlone = makeMemberWrite(write, 'alone')

    const list = { schema: schemas.listOrganizationsSchema, config: listConfig }
    app.get(collection, list, async (request, reply) => {
      const { userId, isSuperuser } = request.principal
      const found = await listOrganizations(db, request.query, userId, isSuperuser)
      return sendList(reply, baseUrl(), found, (row) => toWire(row, row.role ?? 'owner'))
    })

    const create = { schema: schemas.createOrganizationSchema, config: createConfig, onRequest: refuseBuyers }
    app.post(collection, create, async (request, reply) =>
      write(request, reply, async (tx) => {
        const { name, description = '' } = request.body
        checkName(name)
        const now = clock.now()
        const organization = await insertOrganization(tx, newObjectId(now), { name, description }, now)
        const key = { organizationId: organization.id, userId: request.principal.userId }
        await insertMembership(tx, key, 'owner', now)
        const location = `${baseUrl()}${collection}/${organization.id}`
        return { status: 201, body: toWire(organization, 'owner'), headers: { location } }
      }),
    )

    const get = { schema: schemas.getOrganizationSchema, config: memberAccess('getOrganization', 'projects:read') }
    app.get(one, get, async ({ member }) => toWire(await organizationOf(db, member), await roleShown(db, member)))

    const update = {
      schema: schemas.updateOrganizationSchema,
      config: memberAccess('updateOrganization', 'projects:write'),
    }
    app.patch(one, update, async (request, reply) =>
      writeAlone(request, reply, async (tx, member) => {
        const { name, description } = request.body
        checkName(name)
        const before = await organizationOf(tx, member)
        const changes = realChanges<OrganizationFields>(before, { name, description })
        const isSame = Object.keys(changes).length === 0
        const organization = isSame ? before : await updateOrganization(tx, before.id, changes, clock.now())
        return { status: 200, body: toWire(organization, await roleShown(tx, member)) }
      }),
    )

    const remove = {
      schema: schemas.deleteOrganizationSchema,
      config: memberAccess('deleteOrganization', 'projects:write'),
    }
    app.delete(one, remove, async (request, reply) =>
      writeAlone(request, reply, async (tx, { organizationId }) => {
        await endContents(tx, organizationId)
        await deleteOrganization(tx, organizationId)
        return { status: 204 }
      }),
    )
  }

const listConfig = { access: { role: 'user', scope: 'projects:read' } } as const
const createConfig = { access: { role: 'user', scope: 'projects:write' } } as const

/** Buyers order; they build nothing. Before the body is read, as every 403. */
const refuseBuyers = async ({ principal }: FastifyRequest): Promise<void> => {
  const { divisionId, isStaff, isSuperuser } = principal
  if (divisionId !== null && !isStaff && !isSuperuser) throw forbidden()
}

const checkName = (name: string | undefined): void => {
  if (name?.trim() === '') throw invalidField('name', 'This field may not be blank.')
}

/** It can go between the check of the caller and this, in a request that holds nothing. */
const organizationOf = async (db: Db | Tx, { organizationId }: Member): Promise<Organization> =>
  orNotFound(await findOrganization(db, organizationId))

/** The role that the caller was given; a superuser who was given none has the rights of an owner. */
const roleShown = async (db: Db | Tx, { organizationId, principal, role }: Member): Promise<Role> => {
  const membership = await findMembership(db, { organizationId, userId: principal.userId })
  return membership?.role ?? role
}

/** The organization as the API shows it to somebody with this role there. */
const toWire = ({ id, name, description, createdAt, updatedAt }: Organization, role: Role) => ({
  _id: id,
  name,
  description,
  role,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
