import type { Db, Tx } from '#platform/db/database.ts'
import { offsetOf, type Page, type Rows } from '#platform/http/pagination.ts'
import type { Role } from '../access/index.ts'
import type { Organization, OrganizationFields } from './organization.ts'

interface OrganizationsTable {
  id: string
  name: string
  description: string
  createdAt: Date
  updatedAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    organizations: OrganizationsTable
  }
}

const columns = [
  'organizations.id',
  'organizations.name',
  'organizations.description',
  'organizations.createdAt',
  'organizations.updatedAt',
] as const

export const insertOrganization = (
  tx: Tx,
  id: string,
  { name, description }: OrganizationFields,
  now: Date,
): Promise<Organization> =>
  tx
    .insertInto('organizations')
    .values({ id, name, description, createdAt: now, updatedAt: now })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const findOrganization = (db: Db | Tx, id: string): Promise<Organization | undefined> =>
  db.selectFrom('organizations').select(columns).where('id', '=', id).executeTakeFirst()

/** The organization is there: the transaction holds it. */
export const updateOrganization = (
  tx: Tx,
  id: string,
  changes: Partial<OrganizationFields>,
  now: Date,
): Promise<Organization> =>
  tx
    .updateTable('organizations')
    .set({ ...changes, updatedAt: now })
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()

/** Removes the organization with its members, projects, and everything of them that is a row. */
export const deleteOrganization = async (tx: Tx, id: string): Promise<void> => {
  await tx.deleteFrom('organizations').where('id', '=', id).execute()
}

/** What lists can be ordered by: wire name → column. */
export const organizationOrderings = {
  _id: 'organizations.id',
  name: 'organizations.name',
  createdAt: 'organizations.createdAt',
  updatedAt: 'organizations.updatedAt',
} as const

export interface OrganizationList extends Page {
  /** Whose organizations and roles. */
  readonly userId: number
  /** Also those that the user is no member of. */
  readonly all: boolean
  readonly column: (typeof organizationOrderings)[keyof typeof organizationOrderings]
  readonly direction: 'asc' | 'desc'
}

/** One page of organizations, each with the role of the user there; null where they have none. */
export const listOrganizations = async (
  db: Db,
  list: OrganizationList,
): Promise<Rows<Organization & { readonly role: Role | null }>> => {
  const { userId, all, column, direction, limit } = list
  const matching = db
    .selectFrom('organizations')
    .leftJoin('organizationMembers as member', (join) =>
      join.onRef('member.organizationId', '=', 'organizations.id').on('member.userId', '=', userId),
    )
    .$if(!all, (query) => query.where('member.userId', 'is not', null))
  const { count } = await matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await matching
    .select([...columns, 'member.role'])
    .orderBy(column, direction)
    .orderBy('organizations.id', direction)
    .limit(limit)
    .offset(offsetOf(list))
    .execute()
  return { rows, count }
}
