import { mayCall, type Access, type Principal } from '#platform/auth/principal.ts'

type Rule = Exclude<Access, 'public'>

/** Who may know of a change: as the routes say who may read what changed. */
export type Audience =
  | { readonly kind: 'everyone'; readonly rule: Rule }
  /** These users, and superusers. */
  | { readonly kind: 'owners'; readonly rule: Rule; readonly userIds: readonly (number | null)[] }
  /** Nobody but this user. */
  | { readonly kind: 'user'; readonly rule: Rule; readonly userId: number }
  /** Members, and superusers. */
  | { readonly kind: 'organization'; readonly id: string | null }
  /** Staff, the buyer whose quotation it is, and the buyers of the main division. */
  | { readonly kind: 'quotation'; readonly userId: number | null; readonly rootDivisionId: number | null }

/** Somebody who watches. */
export interface Viewer {
  readonly principal: Principal
  /** Ids of the organizations that they are a member of. */
  readonly organizations: ReadonlySet<string>
}

export const rules = {
  hooks: { role: 'staff', scope: 'hooks:read' },
  orderManagement: { role: 'staff', scope: 'order-management:read' },
  errorReports: { role: 'staff', scope: 'error-reports:read' },
  quotations: { role: 'staff', scope: 'quotations:read' },
  ownQuotations: { role: 'user', scope: 'quotations:read' },
  projects: { role: 'user', scope: 'projects:read' },
  flows: { role: 'staff' },
  mails: { role: 'superuser' },
} as const satisfies Readonly<Record<string, Rule>>

/** Whether a viewer may know of what has this audience. */
export const sees = (viewer: Viewer, audience: Audience): boolean => {
  switch (audience.kind) {
    case 'everyone':
      return mayCall(viewer.principal, audience.rule)
    case 'owners':
      return mayCall(viewer.principal, audience.rule) && isOwner(viewer, audience.userIds)
    case 'user':
      return mayCall(viewer.principal, audience.rule) && audience.userId === viewer.principal.userId
    case 'organization':
      return mayCall(viewer.principal, rules.projects) && isMember(viewer, audience.id)
    case 'quotation':
      return mayCall(viewer.principal, rules.quotations) || isBuyer(viewer, audience)
  }
}

const isOwner = ({ principal: { isSuperuser, userId } }: Viewer, userIds: readonly (number | null)[]): boolean =>
  isSuperuser || userIds.includes(userId)

const isMember = ({ principal, organizations }: Viewer, id: string | null): boolean =>
  principal.isSuperuser || (id !== null && organizations.has(id))

const isBuyer = ({ principal }: Viewer, quotation: Audience & { readonly kind: 'quotation' }): boolean => {
  const { userId, divisionId } = principal
  if (!mayCall(principal, rules.ownQuotations)) return false
  return quotation.userId === userId || (divisionId !== null && quotation.rootDivisionId === divisionId)
}
