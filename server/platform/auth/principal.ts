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

/** Who may call an operation. Each route declares one; an undeclared route does not start. */
export type Access =
  | 'public'
  | {
      /** `user`: anyone signed in; `staff`: staff and superusers. */
      readonly role: 'user' | 'staff' | 'superuser'
      /** Scope that a limited key must have; `any`: a limited key will do. Absent: limited keys are refused. */
      readonly scope?: Scope | 'any'
    }

const hasRole: Record<'user' | 'staff' | 'superuser', (who: Principal) => boolean> = {
  user: () => true,
  staff: (who) => who.isStaff || who.isSuperuser,
  superuser: (who) => who.isSuperuser,
}

/** Whether `who` may call an operation with this access rule. A `write` scope includes `read` of its area. */
export const mayCall = (who: Principal, access: Exclude<Access, 'public'>): boolean =>
  hasRole[access.role](who) && (who.scopes === null || (access.scope !== undefined && grants(who.scopes, access.scope)))

const grants = (held: readonly Scope[], wanted: Scope | 'any'): boolean =>
  wanted === 'any' ||
  held.includes(wanted) ||
  (wanted.endsWith(':read') && held.includes(wanted.replace(/:read$/, ':write') as Scope))
