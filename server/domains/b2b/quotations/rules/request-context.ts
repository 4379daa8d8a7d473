import type { Principal } from '#platform/auth/principal.ts'
import { AppError, forbidden, ruleBroken } from '#platform/errors.ts'
import { isDue } from '../time/expiring.ts'
import { decide, permittedActions, reasonOf, type Caller, type PermittedActions } from './permitted-actions.ts'
import type { Quotation } from '../quotation.ts'
import { rules, type Actor, type QuotationAction, type QuotationStatus, type Surface } from './transitions.ts'

/** Who asks, where, and about which version. */
export interface Who {
  readonly surface: Surface
  readonly userId: number
  readonly divisionId: number | null
  readonly isSuperuser: boolean
  readonly requestId: string
  /** `If-Match` of the request. */
  readonly ifMatch: string | undefined
}

/** Who sent a request. */
export const whoOf = (
  {
    principal: { userId, divisionId, isSuperuser },
    id,
    headers,
  }: {
    readonly principal: Principal
    readonly id: string
    readonly headers: { readonly 'if-match'?: string | undefined }
  },
  surface: Surface,
): Who => ({ surface, userId, divisionId, isSuperuser, requestId: id, ifMatch: headers['if-match'] })

/** Who somebody is to a quotation. Nobody on the storefront who may not know that it exists. */
export const actorsOf = (
  { surface, userId, divisionId, isSuperuser }: Who,
  quotation: Pick<Quotation, 'userId' | 'rootDivisionId'>,
): Actor[] => {
  if (surface === 'admin') return isSuperuser ? ['super', 'staff'] : ['staff']
  return [
    ...(userId === quotation.userId ? (['owner'] as const) : []),
    ...(divisionId === quotation.rootDivisionId ? (['main'] as const) : []),
  ]
}

export const callerOf = (who: Who, quotation: Quotation): Caller => ({
  surface: who.surface,
  actors: actorsOf(who, quotation),
})

/** What somebody may do with a quotation now, and why not the rest. Without `now`, its time has not passed. */
export const permittedTo = (who: Who, quotation: Quotation, now?: Date): PermittedActions =>
  permittedActions(callerOf(who, quotation), situationOf(who, quotation, now))

const situationOf = ({ divisionId }: Who, quotation: Quotation, now: Date | undefined) => {
  const { status, expiresAt, rejectedByMain, inactive, hasLostOwner, cut, lacksConsent } = quotation
  return {
    // What became due since it was looked at is as good as expired.
    status: now !== undefined && isDue(quotation, now) ? 'expired' : status,
    isRejectedByMain: rejectedByMain,
    hasNoDivision: divisionId === null,
    ...(now !== undefined && { isOverdue: expiresAt !== null && expiresAt <= now }),
    ...(inactive && { inactive }),
    ...(hasLostOwner !== undefined && { hasLostOwner }),
    ...(cut && { cut }),
    ...(lacksConsent !== undefined && { lacksConsent }),
  } as const
}

/**
 * The status after an action that is allowed, by the table of transitions.
 * @throws AppError 403 for somebody who may never do it; 400 with what is allowed instead.
 */
export const permit = (
  who: Who,
  quotation: Quotation,
  action: QuotationAction,
  { now, hasNewExpiry = false }: Moment,
): QuotationStatus => {
  const situation = situationOf(who, quotation, now)
  const decision = decide(action, callerOf(who, quotation), { ...situation, hasNewExpiry })
  if ('to' in decision) return decision.to
  if (decision.refused === 'forbidden') throw forbidden()
  throw ruleBroken(decision.refused, reasonOf(decision.refused, situation), permittedTo(who, quotation, now).allowed)
}

export interface Moment {
  readonly now: Date
  /** The action comes with a time to expire that is in the future. */
  readonly hasNewExpiry?: boolean
}

/** As what somebody does something that they are permitted to do. */
export const actingAs = (who: Who, quotation: Quotation, action: QuotationAction): Actor => {
  const held = actorsOf(who, quotation)
  const rule = rules.find((one) => one.action === action && one.surface === who.surface)
  const [actor = 'staff'] = held.filter((one) => rule?.actors.includes(one))
  return actor
}

/** Its version as an entity tag. */
export const etagOf = ({ version }: Pick<Quotation, 'version'>): string => `"${version}"`

/** @throws AppError 412 when the caller has read another version than there is. Weak tags never match. */
export const requireMatch = ({ ifMatch }: Pick<Who, 'ifMatch'>, quotation: Pick<Quotation, 'version'>): void => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (tags.includes(etagOf(quotation))) return
  throw new AppError(
    'version_stale',
    412,
    `Somebody changed it: it is of version ${quotation.version} now. Read it again.`,
  )
}
