import type { Tx } from '#platform/db/database.ts'
import { forbidden, invalidField, orNotFound } from '#platform/errors.ts'
import { includes, type Member, type Role } from '../access/index.ts'
import type { Dependencies, Person } from '../dependencies.ts'
import {
  deleteMembership,
  findMembership,
  findOwners,
  insertMembership,
  updateMembership,
  type Membership,
} from './members-store.ts'

/**
 * Who belongs to an organization. Every function needs a transaction that holds the organization alone, so that two
 * owners who demote each other at once do so one after the other: the second is no owner any more, or the last.
 */
export const makeMemberChanges = ({ clock, people }: Pick<Dependencies, 'clock' | 'people'>) => {
  const membershipOf = async (tx: Tx, { organizationId }: Member, userId: number): Promise<Membership> =>
    orNotFound(await findMembership(tx, { organizationId, userId }))

  /** Whether somebody else is an owner, and can log in to be one. */
  const hasOtherOwner = async (tx: Tx, { organizationId }: Member, userId: number): Promise<boolean> => {
    const others = (await findOwners(tx, organizationId)).filter((id) => id !== userId)
    return (await people.findAll(tx, others)).some(({ isActive }) => isActive)
  }

  return {
    /** @throws AppError 403 when the caller may not give this role; 400 for an e-mail that is nobody's, or a member's. */
    async add(tx: Tx, by: Member, email: string, role: Role): Promise<{ person: Person; membership: Membership }> {
      checkMayTouch(by.role, [role])
      const person = await people.findByEmail(tx, email)
      if (person === undefined) throw invalidField('email', 'Nobody who can log in has this e-mail.')
      const key = { organizationId: by.organizationId, userId: person.id }
      const membership = await insertMembership(tx, key, role, clock.now())
      if (membership === undefined) throw invalidField('email', 'This person is a member already.')
      return { person, membership }
    },

    /** @throws AppError 403 when the caller may not give or take these roles; 404; 400 when no owner would be left. */
    async change(tx: Tx, by: Member, userId: number, role: Role | undefined): Promise<Membership> {
      checkMayTouch(by.role, role === undefined ? [] : [role])
      const membership = await membershipOf(tx, by, userId)
      if (role === undefined || role === membership.role) return membership
      checkMayTouch(by.role, [membership.role])
      const { organizationId } = by
      checkOwnerLeft(membership.role, role, await hasOtherOwner(tx, by, userId))
      return updateMembership(tx, { organizationId, userId }, role, clock.now())
    },

    /** @throws AppError 403 unless the caller leaves, or may remove others; 404; 400 when no owner would be left. */
    async remove(tx: Tx, by: Member, userId: number): Promise<void> {
      const leaves = userId === by.principal.userId
      if (!leaves && !includes(by.role, 'admin')) throw forbidden()
      const membership = await membershipOf(tx, by, userId)
      if (!leaves) checkMayTouch(by.role, [membership.role])
      const { organizationId } = by
      checkOwnerLeft(membership.role, undefined, await hasOtherOwner(tx, by, userId))
      await deleteMembership(tx, { organizationId, userId })
    },
  }
}

/**
 * Owners are the business of owners alone: nobody else gives that role or takes it.
 * @param touched the roles that the member has and will have.
 * @throws AppError 403.
 */
const checkMayTouch = (by: Role, touched: readonly Role[]): void => {
  if (by !== 'owner' && touched.includes('owner')) {
    throw forbidden('Only an owner adds, changes or removes owners.')
  }
}

/**
 * Only a superuser could give an organization without an owner one again.
 * @param after the role the member will have; undefined when they leave.
 * @param hasOther whether somebody else is an owner who can log in.
 * @throws AppError 400.
 */
const checkOwnerLeft = (before: Role, after: Role | undefined, hasOther: boolean): void => {
  if (before === 'owner' && after !== 'owner' && !hasOther) {
    throw invalidField(
      'non_field_errors',
      'An organization keeps at least one owner who can log in: make somebody else an owner first.',
    )
  }
}
