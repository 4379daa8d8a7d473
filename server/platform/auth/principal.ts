/** Areas a key can be limited to (contract, section 11: People). */
const areas = ['hooks', 'order-management', 'error-reports', 'quotations', 'projects'] as const
export type Scope = 'events:write' | `${(typeof areas)[number]}:${'read' | 'write'}`

/** Every scope there is, for validation and documentation. */
export const allScopes: readonly Scope[] = [
  'events:write',
  ...areas.flatMap((area) => [`${area}:read`, `${area}:write`] as const),
]

/** Who is calling, as far as a use case may care. Made by the authenticator, for one request. */
export interface Principal {
  readonly userId: number
  readonly email: string
  readonly isStaff: boolean
  readonly isSuperuser: boolean
  readonly divisionId: number | null
  /** What the credential is limited to; null means all of the user's rights. */
  readonly scopes: readonly Scope[] | null
}

/** What decides about what somebody may do. */
export type Rights = Pick<Principal, 'isStaff' | 'isSuperuser' | 'scopes'>

/** Surfaces with access tokens of their own, which are good nowhere else. */
export type Audience = 'flows'

/** Who may call an operation. Each route declares one; an undeclared route does not start. */
export type Access =
  | 'public'
  | {
      /** `user`: anyone signed in; `staff`: staff and superusers. */
      readonly role: 'user' | 'staff' | 'superuser'
      /** Scope that a limited key must have; `any`: a limited key will do. Absent: limited keys are refused. */
      readonly scope?: Scope | 'any'
      /** Tokens made for this surface alone are good here too. */
      readonly audience?: Audience
    }

const hasRole: Record<'user' | 'staff' | 'superuser', (who: Rights) => boolean> = {
  user: () => true,
  staff: (who) => who.isStaff || who.isSuperuser,
  superuser: (who) => who.isSuperuser,
}

/**
 * What keeps `who` from calling an operation with this access rule; undefined when nothing does. `role`: the user may not, with
 * whatever credential; `limited`: no limited key may; `scope`: the key lacks this one. A `write` scope includes `read` of its area.
 */
export const obstacleTo = (who: Rights, access: Exclude<Access, 'public'>): Obstacle | undefined => {
  if (!hasRole[access.role](who)) return { kind: 'role' }
  if (who.scopes === null) return undefined
  if (access.scope === undefined) return { kind: 'limited' }
  return grants(who.scopes, access.scope) ? undefined : { kind: 'scope', scope: access.scope }
}

export type Obstacle = { readonly kind: 'role' | 'limited' } | { readonly kind: 'scope'; readonly scope: Scope | 'any' }

/** Whether `who` may call an operation with this access rule. */
export const mayCall = (who: Rights, access: Exclude<Access, 'public'>): boolean =>
  obstacleTo(who, access) === undefined

const grants = (held: readonly Scope[], wanted: Scope | 'any'): boolean =>
  wanted === 'any' ||
  held.includes(wanted) ||
  (wanted.endsWith(':read') && held.includes(wanted.replace(/:read$/, ':write') as Scope))
