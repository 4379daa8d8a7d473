import type { Tx } from '#platform/db/database.ts'
import { recordAudit, wasNotified } from './audit-store.ts'
import { auditOf, type RequestContext } from '../rules/request-context.ts'
import { insertComment, type Comment } from './comment-store.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { makeHoldQuotation } from '../rules/hold-quotation.ts'
import { about, type Quotation } from '../quotation.ts'
import type { Actor } from '../rules/vocabulary.ts'

/** Adds a comment or an internal note; the version stays. @throws AppError 404; 412; 403; 400 with the allowed actions. */
export const makeCommentOnQuotation = (deps: QuotationDeps) => {
  const { clock, outbox, notify } = deps
  const hold = makeHoldQuotation(deps)
  return async (
    tx: Tx,
    context: RequestContext,
    id: number,
    said: Pick<Comment, 'text' | 'isInternal'>,
  ): Promise<Comment> => {
    const { quotation, permissions } = await hold(tx, context, id)
    const now = clock.now()
    const action = said.isInternal ? 'note' : 'comment'
    permissions.permit(action)
    const entry = auditOf(context, quotation, action, now)
    const news = said.isInternal ? undefined : await newsOf(tx, quotation, entry.actor, now)
    const comment = await insertComment(tx, { ...said, quotationId: id, userId: context.userId, createdAt: now })
    const after = { comment: comment.id, ...(news && { told: news.told }) }
    await recordAudit(tx, [{ ...entry, before: null, after }])
    const data = {
      id: comment.id,
      quotation: id,
      number: quotation.number,
      user: context.userId,
      internal: comment.isInternal,
      text: comment.text,
      created_at: now.toISOString(),
    }
    await outbox.append(tx, [{ type: 'quotation.commented', data, ...about(id) }])
    if (news !== undefined) {
      await notify(tx, [{ occasion: news.occasion, quotation, doer: context.userId, said: comment.text }])
    }
    return comment
  }
}

/** Between two e-mails to one person about comments on one quotation: what was said since is read with the next. */
const quietMs = 5 * 60_000

/** As what a comment is told to the other side, and to whom; undefined when there is nobody, or they were told just now. */
const newsOf = async (tx: Tx, quotation: Quotation, actor: Actor, now: Date) => {
  const [occasion, told] =
    actor === 'owner' ? (['answered', quotation.assignee] as const) : (['commented', quotation.userId] as const)
  if (told === null) return undefined
  const isNews = !(await wasNotified(tx, quotation.id, told, new Date(now.getTime() - quietMs)))
  return isNews ? { occasion, told } : undefined
}
