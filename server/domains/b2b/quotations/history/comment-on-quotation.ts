import type { Tx } from '#platform/db/database.ts'
import { recordAudit, wasTold } from './audit-store.ts'
import { actingAs, permit, type Who } from '../rules/caller.ts'
import { requireFewComments } from './comment-limit.ts'
import { insertComment, type Comment } from './comment-store.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { makeHoldQuotation } from '../rules/hold-quotation.ts'
import { about, type Quotation } from '../quotation.ts'
import type { Actor } from '../rules/transitions.ts'

/**
 * Adds a comment; an internal one is a note of the back office. It is no change of the quotation: the version stays.
 * @throws AppError 404; 412; 403; 400 with what is allowed instead; 429.
 */
export const makeCommentOnQuotation =
  ({ clock, outbox, tellTurns, batchSize }: QuotationDeps) =>
  async (tx: Tx, who: Who, id: number, said: Pick<Comment, 'text' | 'isInternal'>): Promise<Comment> => {
    const quotation = await makeHoldQuotation({ batchSize })(tx, who, id)
    const now = clock.now()
    const action = said.isInternal ? 'note' : 'comment'
    permit(who, quotation, action, { now })
    if (!said.isInternal) await requireFewComments(tx, who.userId, now)
    const actor = actingAs(who, quotation, action)
    const news = said.isInternal ? undefined : await newsOf(tx, quotation, actor, now)
    const comment = await insertComment(tx, { ...said, quotationId: id, userId: who.userId, createdAt: now })
    await recordAudit(tx, [
      {
        quotationId: id,
        action,
        userId: who.userId,
        actor,
        surface: who.surface,
        before: null,
        after: { comment: comment.id, ...(news && { told: news.told }) },
        requestId: who.requestId,
        createdAt: now,
      },
    ])
    const data = {
      id: comment.id,
      quotation: id,
      number: quotation.number,
      user: who.userId,
      internal: comment.isInternal,
      text: comment.text,
      created_at: now.toISOString(),
    }
    await outbox.append(tx, [{ type: 'quotation.commented', data, ...about(id) }])
    if (news !== undefined) {
      await tellTurns(tx, [{ occasion: news.occasion, quotation, doer: who.userId, said: comment.text }])
    }
    return comment
  }

/** Between two e-mails to one person about comments on one quotation: what was said since is read with the next. */
const quietMs = 5 * 60_000

/** As what a comment is told to the other side, and to whom; undefined when there is nobody, or they were told just now. */
const newsOf = async (tx: Tx, quotation: Quotation, actor: Actor, now: Date) => {
  const [occasion, told] =
    actor === 'owner' ? (['answered', quotation.assignee] as const) : (['commented', quotation.userId] as const)
  if (told === null) return undefined
  const isNews = !(await wasTold(tx, quotation.id, told, new Date(now.getTime() - quietMs)))
  return isNews ? { occasion, told } : undefined
}
