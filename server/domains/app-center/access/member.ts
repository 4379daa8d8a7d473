import type { Principal } from '#platform/auth/principal.ts'
import { forbidden, invalidField, notFound, type AppError } from '#platform/errors.ts'
import { parseObjectId } from '#platform/object-ids.ts'
import { includes, type Role } from './permissions.ts'

/** The caller, in the organization that the path names. */
export interface Member {
  readonly principal: Principal
  readonly organizationId: string
  /** The project that the path names; empty where it names none. */
  readonly projectId: string
  /** Superusers have the rights of an owner everywhere. */
  readonly role: Role
}

/** What the database knows of the organization and project of a path, and of the caller there. */
export interface Place {
  readonly organizationExists: boolean
  readonly role: Role | undefined
  readonly projectExists: boolean
}

/** The ids of a path, as they stand in it. */
export interface PathIds {
  readonly organizationId: string
  readonly projectId?: string | undefined
}

/** @throws AppError 400 when the path's organization is not an id at all: that can be nobody's. */
export const organizationIdOf = ({ organizationId }: PathIds): string => objectIdOf('organizationId', organizationId)

/** @throws AppError 400 that names the parameter. */
export const objectIdOf = (name: string, text: string): string => {
  const id = parseObjectId(text)
  if (id === undefined) throw invalidField(name, 'Expected an id of 24 hexadecimal characters.')
  return id
}

/** To a member as well: the project may be another organization's. */
const maybeUnknown = 'You do not have permission, or there is no such organization or project.'

/**
 * Decides whether the caller may go on (contract, section 1: 403, then 400, then 404). Who may not know that an
 * organization or project exists gets the same 403 in the same words whether it does or not; a superuser may know, so gets 404.
 * @throws AppError 403, 400 for a malformed project id, 404.
 */
export const admit = (principal: Principal, least: Role, ids: PathIds, place: Place): Member => {
  const { isSuperuser } = principal
  const role = isSuperuser ? 'owner' : place.role
  const unknown = (): AppError => (isSuperuser ? notFound() : forbidden(maybeUnknown))
  if (!place.organizationExists || role === undefined) throw unknown()
  if (!includes(role, least)) throw forbidden()
  const projectId = ids.projectId === undefined ? '' : objectIdOf('projectId', ids.projectId)
  if (projectId !== '' && !place.projectExists) throw unknown()
  return { principal, organizationId: organizationIdOf(ids), projectId, role }
}
