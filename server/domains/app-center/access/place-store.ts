import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { parseObjectId } from '#platform/object-ids.ts'
import type { PathIds, Place } from './member.ts'
import { projectOf, scopeOf } from '../dependencies.ts'
import { includes, permissions, type Role } from './permissions.ts'

/** What the database knows of the organization and project of a path, and of the user there. */
export const findPlace = async (
  db: Db | Tx,
  { userId, ids }: { readonly userId: number; readonly ids: PathIds },
): Promise<Place> => {
  const { rows } = await sql<{ role: Role | null; projectExists: boolean }>`
    select member.role, project.id is not null as project_exists
    from organizations organization
    left join organization_members member on member.organization_id = organization.id and member.user_id = ${userId}
    left join projects project on project.organization_id = organization.id
      and project.id = ${parseObjectId(ids.projectId ?? '') ?? ''}
    where organization.id = ${parseObjectId(ids.organizationId) ?? ''}`.execute(db)
  const [row] = rows
  return {
    organizationExists: row !== undefined,
    role: row?.role ?? undefined,
    projectExists: row?.projectExists ?? false,
  }
}

/** Of the scopes of projects those whose deliveries a user may send again, as a member. */
export const sendableScopes = async (
  db: Db | Tx,
  userId: number,
  scopes: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ id: string; role: Role }>`
    select project.id, member.role from projects project
    join organization_members member on member.organization_id = project.organization_id and member.user_id = ${userId}
    where project.id = any(${[...new Set(scopes)].map(projectOf)}::text[])`.execute(db)
  const sendable = rows.filter(({ role }) => includes(role, permissions.retryProjectWebhookDelivery))
  return new Set(sendable.map(({ id }) => scopeOf(id)))
}

/**
 * Holds the organization until the transaction ends: `shared` keeps it from being removed, `alone` also keeps
 * others from changing it or its members meanwhile.
 */
export const holdOrganization = (tx: Tx, organizationId: string, how: 'shared' | 'alone'): Promise<unknown> => {
  const query = tx.selectFrom('organizations').select('id').where('id', '=', organizationId)
  return (how === 'alone' ? query.forUpdate() : query.forKeyShare()).execute()
}
