import { forbidden, invalidField } from '#platform/errors.ts'
import type { Role } from '../access/index.ts'
import type { Person } from '../dependencies.ts'

/** That a person belongs to an organization, and what they may do there. */
export interface Membership {
  readonly userId: number
  readonly role: Role
  readonly createdAt: Date
  readonly updatedAt: Date
}

/**
 * Owners are the business of owners alone: nobody else gives that role or takes it.
 * @param touched the roles that the member has and will have.
 * @throws AppError 403.
 */
export const checkMayTouch = (by: Role, touched: readonly Role[]): void => {
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
export const checkOwnerLeft = (before: Role, after: Role | undefined, hasOther: boolean): void => {
  if (before === 'owner' && after !== 'owner' && !hasOther) {
    throw invalidField(
      'non_field_errors',
      'An organization keeps at least one owner who can log in: make somebody else an owner first.',
    )
  }
}

/** The member as the API shows it. */
export const memberToWire = (
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
