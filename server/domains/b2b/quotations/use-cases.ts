import type { Db } from '#platform/db/database.ts'
import { makeActOnQuotation } from './actions/act-on-quotation.ts'
import type { RequestContext } from './rules/request-context.ts'
import { makeCommentOnQuotation } from './history/comment-on-quotation.ts'
import { makeCreateQuotation } from './actions/create-quotation.ts'
import type { QuotationDeps } from './dependencies.ts'
import { makeDuplicateQuotation } from './actions/duplicate-quotation.ts'
import { makeEditQuotation } from './actions/edit-quotation.ts'
import { makeExpiry } from './time/expire.ts'
import { isDue, visibleQuotation } from './rules/hold-quotation.ts'
import type { Quotation } from './quotation.ts'
import { makeShowQuotations } from './surface/show-quotation.ts'
import { makeUpdateQuotation } from './actions/update-quotation.ts'

/** What the routes of both surfaces do. */
export const makeUseCases = (deps: QuotationDeps) => {
  const expiry = makeExpiry(deps)
  const show = makeShowQuotations(deps)
  /** A quotation as it is now: time has passed. */
  const upToDate = async <Q extends Quotation>(find: () => Promise<Q>): Promise<Q> => {
    const quotation = await find()
    if (!isDue(quotation, deps.clock.now())) return quotation
    await expiry.expireDue([quotation.id])
    return find()
  }
  return {
    expiry,
    create: makeCreateQuotation(deps),
    act: makeActOnQuotation(deps),
    update: makeUpdateQuotation(deps),
    edit: makeEditQuotation(deps),
    comment: makeCommentOnQuotation(deps),
    duplicate: makeDuplicateQuotation(deps),
    show,
    /** A quotation that the principal may know of. @throws AppError 404. */
    read: (db: Db, context: RequestContext, id: number) => upToDate(() => visibleQuotation(db, context, id)),
    /** The same with everything in it. @throws AppError 404. */
    async readDetail(db: Db, context: RequestContext, id: number) {
      const quotation = await upToDate(() => show.find(db, context, id))
      return { quotation, detail: await show.detail(db, context, quotation) }
    },
  }
}
export type UseCases = ReturnType<typeof makeUseCases>
