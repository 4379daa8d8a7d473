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
  /** A quotation as it is now: time has passed. @throws AppError 404. */
  const read = async (db: Db, context: RequestContext, id: number): Promise<Quotation> => {
    const quotation = await visibleQuotation(db, context, id)
    if (!isDue(quotation, deps.clock.now())) return quotation
    await expiry.expireDue([id])
    return visibleQuotation(db, context, id)
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
    read,
    /** A quotation with everything in it, read again when it changed in between. @throws AppError 404. */
    async readDetail(db: Db, context: RequestContext, id: number) {
      for (let tries = 1; ; tries++) {
        const quotation = await read(db, context, id)
        const detail = await show.detail(db, context, quotation)
        const { version } = await visibleQuotation(db, context, id)
        if (version === quotation.version || tries === maxReadings) return { quotation, detail }
      }
    },
  }
}
const maxReadings = 5
export type UseCases = ReturnType<typeof makeUseCases>
