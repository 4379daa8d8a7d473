import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import type { Db, Tx } from '#platform/db/database.ts'
import { forbidden, invalidField, notFound } from '#platform/errors.ts'
import { newObjectId } from '#platform/object-ids.ts'
import { sendList } from '#platform/lists/send-list.ts'
import { makeMemberWrite, memberAccess, type Member, type Role } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { findMembership, insertMembership } from './members-store.ts'
import { differs, toWire } from './organization.ts'
import * as schemas from './schemas.ts'
import {
  deleteOrganization,
  findOrganization,
  insertOrganization,
  listOrganizations,
  updateOrganization,
} from './store.ts'

export interface OrganizationRoutesDeps extends Dependencies {
  /** Ends what an organization has outside the rows that go with it. */
  readonly endContents: (tx: Tx, organizationId: string) => Promise<void>
}

const collection = '/api/v1/organizations'
const one = `${collection}/:organizationId`

export const organizationRoutes =
  (dependencies: OrganizationRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    await app.register(collectionRoutes(dependencies))
    await app.register(memberOnlyRoutes(dependencies))
  }

/** What needs no membership: finding one's organizations, and making one. */
const collectionRoutes =
  ({ db, clock, write, baseUrl }: OrganizationRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(collection, { schema: schemas.listOrganizationsSchema, config: listConfig }, async (request, reply) => {
      const { userId, isSuperuser } = request.principal
      const found = await listOrganizations(db, request.query, userId, isSuperuser)
      return sendList(reply, baseUrl(), found, (row) => toWire(row, row.role ?? 'owner'))
    })

    app.post(
      collection,
      { schema: schemas.createOrganizationSchema, config: createConfig, onRequest: refuseBuyers },
      async (request, reply) =>
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
  }

const memberOnlyRoutes =
  ({ db, clock, write, endContents }: OrganizationRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const writeAlone = makeMemberWrite(write, 'alone')

    app.get(
      one,
      { schema: schemas.getOrganizationSchema, config: memberAccess('getOrganization', 'projects:read') },
      async ({ member }) => toWire(await organizationOf(db, member), await roleShown(db, member)),
    )

    app.patch(
      one,
      { schema: schemas.updateOrganizationSchema, config: memberAccess('updateOrganization', 'projects:write') },
      async (request, reply) =>
        writeAlone(request, reply, async (tx, member) => {
          const { name, description } = request.body
          checkName(name)
          const before = await organizationOf(tx, member)
          const fields = { name: name ?? before.name, description: description ?? before.description }
          const organization = differs(before, fields)
            ? await updateOrganization(tx, before.id, fields, clock.now())
            : before
          return { status: 200, body: toWire(organization, await roleShown(tx, member)) }
        }),
    )

    app.delete(
      one,
      { schema: schemas.deleteOrganizationSchema, config: memberAccess('deleteOrganization', 'projects:write') },
      async (request, reply) =>
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
const organizationOf = async (db: Db | Tx, { organizationId }: Member) => {
  const organization = await findOrganization(db, organizationId)
  if (organization === undefined) throw notFound()
  return organization
}

/** The role that the caller was given; a superuser who was given none has the rights of an owner. */
const roleShown = async (db: Db | Tx, { organizationId, principal, role }: Member): Promise<Role> => {
  const membership = await findMembership(db, { organizationId, userId: principal.userId })
  return membership?.role ?? role
}
