import type { Db, Tx } from '#platform/db/database.ts'
import { defineList } from '#platform/lists/define-list.ts'
import { time } from '#platform/lists/filters.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import { readList } from '#platform/lists/read-list.ts'
import type { Role } from '../access/index.ts'

/** That a person belongs to an organization, and what they may do there. */
export interface Membership {
  readonly userId: number
  readonly role: Role
  readonly createdAt: Date
  readonly updatedAt: Date
}
declare module '#platform/db/database.ts' {
  interface Tables {
    organizationMembers: Membership & MemberKey
  }
}

const columns = ['userId', 'role', 'createdAt', 'updatedAt'] as const

export interface MemberKey {
  readonly organizationId: string
  readonly userId: number
}

export const findMembership = (db: Db | Tx, key: MemberKey): Promise<Membership | undefined> =>
  db
    .selectFrom('organizationMembers')
    .select(columns)
    .where((eb) => eb.and({ ...key }))
    .executeTakeFirst()

/** @returns undefined when the person is a member already. */
export const insertMembership = (tx: Tx, key: MemberKey, role: Role, now: Date): Promise<Membership | undefined> =>
  tx
    .insertInto('organizationMembers')
    .values({ ...key, role, createdAt: now, updatedAt: now })
    .onConflict((oc) => oc.columns(['organizationId', 'userId']).doNothing())
    .returning(columns)
    .executeTakeFirst()

/** Changes a membership that is there: the transaction holds the organization alone. */
export const updateMembership = (tx: Tx, key: MemberKey, role: Role, now: Date): Promise<Membership> =>
  tx
    .updateTable('organizationMembers')
    .set({ role, updatedAt: now })
    .where((eb) => eb.and({ ...key }))
    .returning(columns)
    .executeTakeFirstOrThrow()

export const deleteMembership = (tx: Tx, key: MemberKey): Promise<unknown> =>
  tx
    .deleteFrom('organizationMembers')
    .where((eb) => eb.and({ ...key }))
    .execute()

/** An organization as its member knows it. */
export interface OwnOrganization {
  readonly id: string
  readonly name: string
  readonly role: Role
}

/** The organizations that a user is a member of, the one of longest standing first. */
export const listOwnOrganizations = (db: Db, userId: number, max: number): Promise<OwnOrganization[]> =>
  db
    .selectFrom('organizationMembers')
    .innerJoin('organizations', 'organizations.id', 'organizationMembers.organizationId')
    .select(['organizations.id', 'organizations.name', 'organizationMembers.role'])
    .where('organizationMembers.userId', '=', userId)
    .orderBy('organizationMembers.createdAt')
    .orderBy('organizations.id')
    .limit(max)
    .execute()

/** Users who are owners. It stays so only while the transaction holds the organization alone. */
export const findOwners = async (tx: Tx, organizationId: string): Promise<number[]> => {
  const rows = await tx
    .selectFrom('organizationMembers')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('role', '=', 'owner')
    .execute()
  return rows.map(({ userId }) => userId)
}

export const memberList = defineList({
  key: 'userId',
  orderings: { userId: 'userId', createdAt: 'createdAt', updatedAt: 'updatedAt' },
  defaultOrdering: 'createdAt',
  filters: { createdAt: time('createdAt', 'Made'), updatedAt: time('updatedAt', 'Changed') },
})

export const listMemberships = (db: Db, query: Page, organizationId: string): Promise<Rows<Membership>> =>
  readList(
    db,
    memberList,
    query,
    db.selectFrom('organizationMembers').select(columns).where('organizationId', '=', organizationId),
  )
