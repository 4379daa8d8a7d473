import { mayCall, type Principal } from '#platform/auth/principal.ts'
import { maxOrganizations, personToWire } from './schemas.ts'
import { rolesOf, type User } from './user.ts'

/** The first organizations that a user is a member of, and their role there. Another domain keeps them. */
export type OrganizationsOf = (
  userId: number,
  max: number,
) => Promise<readonly { readonly id: string; readonly name: string; readonly role: string }[]>

/** Makes what people are shown of themselves: who they are, and what they may do with their credential. */
export const makeMeOf = (organizationsOf: OrganizationsOf) => async (user: User, principal: Principal) => ({
  ...personToWire(user),
  roles: rolesOf(principal),
  division: user.division,
  organizations: await ownOrganizations(principal, organizationsOf),
  scopes: principal.scopes === null ? null : [...principal.scopes],
})

export type MeOf = ReturnType<typeof makeMeOf>

/** The organizations of the caller, as they are answered; none for a key that may not read them. */
const ownOrganizations = async (principal: Principal, organizationsOf: OrganizationsOf) => {
  if (!mayCall(principal, { role: 'user', scope: 'projects:read' })) return []
  const own = await organizationsOf(principal.userId, maxOrganizations)
  return own.map(({ id, name, role }) => ({ _id: id, name, role }))
}
