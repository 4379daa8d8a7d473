import { quotationStatuses, type QuotationStatus } from '#events/quotations.ts'
import type { Condition, Refusing } from './conditions.ts'
import { quotationLifecycle as lifecycle } from './transitions.ts'
import type { Actor, QuotationAction, Surface } from './vocabulary.ts'

/** One principal can be several actors, such as an owner of the main division. */
export interface Part {
  readonly surface: Surface
  readonly actors: readonly Actor[]
}

/** What somebody may do with a quotation, as answers say it. */
export interface Permissions {
  /** What they may do now, without giving it another time to expire. */
  readonly allowed: readonly QuotationAction[]
  /** What is for such as they, but not now, and why. */
  readonly blocked: Readonly<Partial<Record<QuotationAction, string>>>
  /** The status after an allowed action. @param waived a condition that the request itself meets. @throws AppError 403; 400. */
  readonly permit: (action: QuotationAction, waived?: Condition) => QuotationStatus
}

/** @param refusing the conditions that refuse now; those that no rule names for this part make no difference. */
export const permissionsOf = (status: QuotationStatus, part: Part, refusing: Refusing): Permissions => {
  const situation = { status, refusing }
  return {
    allowed: lifecycle.allowedActions(situation, part),
    blocked: lifecycle.blockedActions(situation, part),
    permit(action, waived) {
      const unmet = new Map([...refusing].filter(([code]) => code !== waived))
      return lifecycle.permit(action, { status, refusing: unmet }, part).to
    },
  }
}

/** Statuses in which time runs, by the table. */
export const expiringStatuses = quotationStatuses.filter(
  (status) =>
    'to' in lifecycle.decide('expire', { status, refusing: new Map() }, { surface: 'admin', actors: ['time'] }),
)
