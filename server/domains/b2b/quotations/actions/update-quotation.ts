import type { Tx } from '#platform/db/database.ts'
import { invalidField } from '#platform/errors.ts'
import type { RequestContext } from '../rules/request-context.ts'
import { makeApplyChange } from './change-quotation.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { makeEditQuotation } from './edit-quotation.ts'
import type { ItemEdit } from './edited-items.ts'
import { makeHoldQuotation } from '../rules/hold-quotation.ts'
import type { Quotation } from '../quotation.ts'
import type { QuotationChanges } from '../store.ts'
import type { Terms } from '../terms/terms.ts'

/** What changes; undefined: nothing of that. */
export interface Update {
  readonly name: string | undefined
  readonly expiresAt: Date | null | undefined
  readonly assignee: number | null | undefined
  readonly items: readonly ItemEdit[] | undefined
}

/** Changes name and items of a draft, assignee and expiry of an open quotation. @throws AppError 404; 412; 403; 400. */
export const makeUpdateQuotation = (deps: QuotationDeps) => {
  const { clock } = deps
  const apply = makeApplyChange(deps)
  const hold = makeHoldQuotation(deps)
  const { changeItems } = makeEditQuotation(deps)

  return async (tx: Tx, context: RequestContext, id: number, update: Update): Promise<Quotation> => {
    const held = await hold(tx, context, id)
    const { quotation, permissions } = held
    const now = clock.now()
    const actions = actionsOf(update)
    for (const action of actions) permissions.permit(action)
    const [action] = actions
    if (action === undefined) return quotation
    requireTime(context, quotation, update.expiresAt, now)
    await requireBackOffice(tx, deps, update.assignee)
    const terms = update.items === undefined ? undefined : await changeItems(tx, held, update.items)
    return apply(tx, context, quotation, { action, set: changesOf(update, terms?.after), ...(terms && { terms }) })
  }
}

/** What an update is by the table, the more important first. */
const actionsOf = ({ name, items, expiresAt, assignee }: Update): ('edit' | 'assign')[] => [
  ...(name === undefined && items === undefined ? [] : (['edit'] as const)),
  ...(expiresAt === undefined && assignee === undefined ? [] : (['assign'] as const)),
]

const changesOf = ({ name, expiresAt, assignee }: Update, terms: Terms | undefined): QuotationChanges => ({
  ...(name === undefined ? {} : { name }),
  ...(expiresAt === undefined ? {} : { expiresAt }),
  ...(assignee === undefined ? {} : { assignee }),
  ...(terms && { totalAmount: terms.totalAmount, netAmount: terms.netAmount }),
})

/** A superuser sets any time of a draft; otherwise nobody is given less time than they were told. */
const requireTime = (context: RequestContext, quotation: Quotation, expiresAt: Update['expiresAt'], now: Date) => {
  if (expiresAt === undefined || expiresAt === null) return
  if (expiresAt <= now) throw invalidField('expires_at', 'Use a time in the future.')
  if (context.isSuperuser && quotation.status === 'draft') return
  if (quotation.expiresAt !== null && expiresAt >= quotation.expiresAt) return
  const present =
    quotation.expiresAt === null ? 'It never expires' : `It expires at ${quotation.expiresAt.toISOString()}`
  throw invalidField('expires_at', `${present}: outside of a draft that can only become later.`)
}

const requireBackOffice = async (tx: Tx, { findPeople }: QuotationDeps, assignee: Update['assignee']) => {
  if (assignee === undefined || assignee === null) return
  const [person] = await findPeople(tx, [assignee])
  if (person?.isActive === true && (person.isStaff || person.isSuperuser)) return
  throw invalidField('assignee', 'There is no such person in the back office.')
}
