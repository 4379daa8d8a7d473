import type { Db, Tx } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import type { QuotationDeps } from '../dependencies.ts'
import type { Quotation } from '../quotation.ts'
import { findQuotation, lockQuotation } from '../store.ts'
import { findRefusing } from './conditions.ts'
import { expiringStatuses, permissionsOf, type Permissions } from './permissions.ts'
import { conditionsFor } from './transitions.ts'
import { actorsOf, requireMatch, type RequestContext } from './request-context.ts'

/** A quotation that the principal may know of. @throws AppError 404. */
export const visibleQuotation = async (db: Db | Tx, context: RequestContext, id: number): Promise<Quotation> =>
  visible(context, await findQuotation(db, id))

/** What was found, if the principal may know of it. @throws AppError 404. */
export const visible = <Q extends Quotation>(context: RequestContext, quotation: Q | undefined): Q => {
  if (quotation === undefined || actorsOf(context, quotation).length === 0) throw notFound()
  return quotation
}

type PermissionDeps = Pick<QuotationDeps, 'batchSize' | 'clock'>

/** Makes the function that says what a principal may do with a quotation now. It looks up only what can make a difference. */
export const makeFindPermissions =
  ({ batchSize, clock }: PermissionDeps) =>
  async (db: Db | Tx, context: RequestContext, quotation: Quotation): Promise<Permissions> => {
    const { surface, divisionId } = context
    const now = clock.now()
    // What became due since it was looked at is as good as expired.
    const status = isDue(quotation, now) ? 'expired' : quotation.status
    const part = { surface, actors: actorsOf(context, quotation) }
    const subject = { db, quotation, divisionId, now, batchSize: quotation.batchSize ?? batchSize }
    return permissionsOf(status, part, await findRefusing(conditionsFor(status, part), subject))
  }

/** Whether a quotation has to expire. */
export const isDue = ({ status, expiresAt }: Quotation, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now && expiringStatuses.includes(status)

export interface HeldQuotation {
  readonly quotation: Quotation
  readonly permissions: Permissions
}

/** Makes the function that locks the version of a quotation that the principal has read. @throws AppError 404, 412. */
export const makeHoldQuotation = (deps: PermissionDeps) => {
  const findPermissions = makeFindPermissions(deps)
  return async (tx: Tx, context: RequestContext, id: number): Promise<HeldQuotation> => {
    const quotation = visible(context, await lockQuotation(tx, id))
    requireMatch(context, quotation)
    return { quotation, permissions: await findPermissions(tx, context, quotation) }
  }
}
