import { mayCall, type Principal } from '#platform/auth/principal.ts'

/** An organization, and the role of somebody there. */
export interface OrganizationRole {
  readonly id: string
  readonly name: string
  readonly role: string
}

/** The first organizations that a user is a member of. Another domain keeps them. */
export type OrganizationsOf = (userId: number, most: number) => Promise<readonly OrganizationRole[]>

/** Whoever is in more asks for the list of them. */
export const mostOrganizations = 100

/** The organizations of the caller, as they are answered; none for a key that may not read them. */
export const ownOrganizations = async (who: Principal, organizationsOf: OrganizationsOf) => {
  if (!mayCall(who, { role: 'user', scope: 'projects:read' })) return []
  const own = await organizationsOf(who.userId, mostOrganizations)
  return own.map(({ id, name, role }) => ({ _id: id, name, role }))
}
