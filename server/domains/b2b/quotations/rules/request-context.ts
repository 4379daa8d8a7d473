import type { Principal } from '#platform/auth/principal.ts'
import { AppError } from '#platform/errors.ts'
import type { Quotation } from '../quotation.ts'
import { quotationLifecycle } from './transitions.ts'
import type { Actor, QuotationAction, Surface } from './vocabulary.ts'

/** A request about a quotation: whose it is, on which surface, and about which version. */
export interface RequestContext extends Pick<Principal, 'userId' | 'divisionId' | 'isSuperuser'> {
  readonly surface: Surface
  readonly requestId: string
  /** `If-Match` of the request. */
  readonly ifMatch: string | undefined
}

interface RequestOfPrincipal {
  readonly principal: Principal
  readonly id: string
  readonly headers: { readonly 'if-match'?: string | undefined }
}

export const contextOf = (
  { principal: { userId, divisionId, isSuperuser }, id, headers }: RequestOfPrincipal,
  surface: Surface,
): RequestContext => ({ surface, userId, divisionId, isSuperuser, requestId: id, ifMatch: headers['if-match'] })

/** The parts of a principal in a quotation. None on the storefront for those who may not know that it exists. */
export const actorsOf = (
  { surface, userId, divisionId, isSuperuser }: RequestContext,
  quotation: Pick<Quotation, 'userId' | 'rootDivisionId'>,
): Actor[] => {
  if (surface === 'admin') return isSuperuser ? ['super', 'staff'] : ['staff']
  return [
    ...(userId === quotation.userId ? (['owner'] as const) : []),
    ...(divisionId === quotation.rootDivisionId ? (['main'] as const) : []),
  ]
}

/** As which actor a principal does something that they are permitted to do. */
export const actingAs = (context: RequestContext, quotation: Quotation, action: AuditedAction): Actor => {
  const rule = quotationLifecycle.rules.find((one) => one.action === action && one.surface === context.surface)
  const [actor = 'staff'] = actorsOf(context, quotation).filter((one) => rule?.actors?.includes(one) ?? true)
  return actor
}
/** No rule is about creating a quotation: nobody has a part in it before. */
export type AuditedAction = QuotationAction | 'create'

/** Who does something with a quotation, and when, as the audit has it. */
export const auditOf = (context: RequestContext, quotation: Quotation, action: AuditedAction, createdAt: Date) => ({
  quotationId: quotation.id,
  action,
  userId: context.userId,
  actor: actingAs(context, quotation, action),
  surface: context.surface,
  requestId: context.requestId,
  createdAt,
})

/** The version of a quotation as an entity tag. */
export const etagOf = ({ version }: Pick<Quotation, 'version'>): string => `"${version}"`

/** @throws AppError 412 when the request is about another version than there is. Weak tags never match. */
export const requireMatch = ({ ifMatch }: Pick<RequestContext, 'ifMatch'>, quotation: Pick<Quotation, 'version'>) => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (tags.includes(etagOf(quotation))) return
  throw new AppError(
    'version_stale',
    412,
    `Somebody changed it: it is of version ${quotation.version} now. Read it again.`,
  )
}
