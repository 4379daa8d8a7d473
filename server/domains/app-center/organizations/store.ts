import type { Db, Tx } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import type { Role } from '../access/index.ts'

/** What a member can set. */
export interface OrganizationFields {
  readonly name: string
  readonly description: string
}

/** A group of people who share projects. */
export interface Organization extends OrganizationFields {
  readonly id: string
  readonly createdAt: Date
  readonly updatedAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    organizations: Organization
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
export const deleteOrganization = (tx: Tx, id: string): Promise<unknown> =>
  tx.deleteFrom('organizations').where('id', '=', id).execute()

export const organizationList = defineList({
  key: 'organizations.id',
  orderings: {
    _id: 'organizations.id',
    name: 'organizations.name',
    createdAt: 'organizations.createdAt',
    updatedAt: 'organizations.updatedAt',
  },
  defaultOrdering: '_id',
  filters: {
    createdAt: time('organizations.createdAt', 'Made'),
    updatedAt: time('organizations.updatedAt', 'Changed'),
  },
})

/**
 * One page of organizations, each with the role of the user there; null where they have none.
 * @param isEveryones also those that the user is no member of.
 */
export const listOrganizations = (
  db: Db,
  query: Page,
  userId: number,
  isEveryones: boolean,
): Promise<Rows<Organization & { readonly role: Role | null }>> =>
  readList(
    db,
    organizationList,
    query,
    db
      .selectFrom('organizations')
      .leftJoin('organizationMembers as member', (join) =>
        join.onRef('member.organizationId', '=', 'organizations.id').on('member.userId', '=', userId),
      )
      .select([...columns, 'member.role'])
      .$if(!isEveryones, (own) => own.where('member.userId', 'is not', null)),
  )
