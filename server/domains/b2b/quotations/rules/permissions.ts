import { quotationStatuses, type QuotationStatus } from '#events/quotations.ts'
import type { Condition, Refusing } from './conditions.ts'
import { quotationLifecycle as lifecycle } from './transitions.ts'
import type { Actor, QuotationAction, Surface } from './vocabulary.ts'

/** One principal can be several actors, such as an owner of the main division. */
export interface Part {
  readonly surface: Surface
  readonly actors: readonly Actor[]
}

/** What a part may do now. @param refusing the conditions that refuse now; those that no rule names make no difference. */
export const permissionsOf = (status: QuotationStatus, part: Part, refusing: Refusing) => {
  const situation = { status, refusing }
  return {
    /** Allowed now, without another time to expire. */
    allowed: lifecycle.allowedActions(situation, part),
    /** Allowed at other times, and why not now. */
    blocked: lifecycle.blockedActions(situation, part),
    /** The status after an allowed action. @param waived a condition that the request itself meets. @throws AppError 403; 400. */
    permit(action: QuotationAction, waived?: Condition): QuotationStatus {
      const unmet = new Map([...refusing].filter(([code]) => code !== waived))
      return lifecycle.permit(action, { status, refusing: unmet }, part).to
    },
  }
}
export type Permissions = ReturnType<typeof permissionsOf>

/** Statuses in which time runs, by the table. */
export const expiringStatuses = quotationStatuses.filter(
  (status) =>
    'to' in lifecycle.decide('expire', { status, refusing: new Map() }, { surface: 'admin', actors: ['time'] }),
)
