import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Principal } from '#platform/auth/principal.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { forbidden, orNotFound } from '#platform/errors.ts'
import { recordRoutes, type RecordKind } from '#platform/http/record-routes.ts'
import { makeToWire } from '#platform/http/record-shape.ts'
import { makeRouteOptions, operationsFor } from '#platform/http/route-options.ts'
import { newObjectId } from '#platform/object-ids.ts'
import { realChanges } from '#platform/sent-fields.ts'
import { changing, makeMemberWrite, reading, type Member, type Role } from '../access/index.ts'
import type { Dependencies } from '../dependencies.ts'
import { projectErrors } from '../schemas.ts'
import { findMembership, insertMembership } from './members-store.ts'
import { NewOrganization, OrganizationChanges, OrganizationParams, OrganizationRecord } from './schemas.ts'
import {
  deleteOrganization,
  findOrganization,
  insertOrganization,
  listOrganizations,
  organizationList,
  updateOrganization,
  type Organization,
  type OrganizationFields,
} from './store.ts'

interface OrganizationRoutesDeps extends Dependencies {
  /** Ends what an organization has outside the rows that go with it. */
  readonly endContents: (tx: Tx, organizationId: string) => Promise<void>
}

const path = '/api/v1/organizations'
const route = makeRouteOptions('Organizations', projectErrors)
const listing = operationsFor({ access: { role: 'user', scope: 'projects:read' } })
const making = operationsFor({ access: { role: 'user', scope: 'projects:write' } })

export const organizationRoutes =
  ({ endContents, ...dependencies }: OrganizationRoutesDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { clock } = dependencies
    const kind: RecordKind<ShownOrganization, string> = {
      path,
      one: { path: `${path}/:organizationId`, params: OrganizationParams, idOf: ({ member }) => member.organizationId },
      route,
      record: OrganizationRecord,
      toWire,
      pathOf: ({ id }) => `${path}/${id}`,
    }
    const organizations = recordRoutes(app, dependencies, kind)
    const held = recordRoutes(app, { ...dependencies, write: makeMemberWrite(dependencies.write, 'alone') }, kind)
    // Before the body is read, as every 403.
    app.addHook('onRequest', async ({ method, principal }) => {
      if (method === 'POST') refuseBuyer(principal)
    })

    organizations.list(operations.list, organizationList, async (db, query, { principal }) => {
      const { rows, ...found } = await listOrganizations(db, query, principal.userId, principal.isSuperuser)
      return { ...found, rows: rows.map((row) => ({ ...row, role: row.role ?? 'owner' })) }
    })
    organizations.create(operations.create, NewOrganization, async (tx, body, { principal: { userId } }) => {
      const { name, description = '' } = body
      const now = clock.now()
      const organization = await insertOrganization(tx, newObjectId(now), { name, description }, now)
      await insertMembership(tx, { organizationId: organization.id, userId }, 'owner', now)
      return { ...organization, role: 'owner' }
    })
    organizations.get(reading('getOrganization', 'Read an organization'), async (db, id, { member }) => {
      // It can go between the check of the caller and this, in a request that holds nothing.
      const organization = orNotFound(await findOrganization(db, id))
      return { ...organization, role: await roleShown(db, member) }
    })
    const update = changing('updateOrganization', 'Change an organization')
    held.update(update, OrganizationChanges, async (tx, id, { name, description }, { member }) => {
      const before = orNotFound(await findOrganization(tx, id))
      const changes = realChanges<OrganizationFields>(before, { name, description })
      const isSame = Object.keys(changes).length === 0
      const organization = isSame ? before : await updateOrganization(tx, id, changes, clock.now())
      return { ...organization, role: await roleShown(tx, member) }
    })
    held.remove(operations.remove, async (tx, id) => {
      await endContents(tx, id)
      await deleteOrganization(tx, id)
    })
  }

/** An organization with the role that the caller has there. */
type ShownOrganization = Organization & { readonly role: Role }

const operations = {
  list: listing('listOrganizations', 'List the organizations of the caller', 'Superusers see all of them.'),
  create: making('createOrganization', 'Create an organization', 'Whoever makes it becomes its owner. Buyers cannot.'),
  remove: changing(
    'deleteOrganization',
    'Delete an organization with everything in it',
    'Its webhooks end at once: what was still to be delivered to them is cancelled.',
  ),
}

/** Buyers order; they build nothing. @throws AppError 403. */
const refuseBuyer = ({ divisionId, isStaff, isSuperuser }: Principal): void => {
  if (divisionId !== null && !isStaff && !isSuperuser) throw forbidden()
}

/** The role that the caller was given; a superuser who was given none has the rights of an owner. */
const roleShown = async (db: Db | Tx, { organizationId, principal, role }: Member): Promise<Role> => {
  const membership = await findMembership(db, { organizationId, userId: principal.userId })
  return membership?.role ?? role
}

const toWire = makeToWire<ShownOrganization, typeof OrganizationRecord>(OrganizationRecord, { _id: 'id' })
