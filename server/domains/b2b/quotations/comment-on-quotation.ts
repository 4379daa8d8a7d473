import type { Tx } from '#platform/db/database.ts'
import { recordAudit } from './audit-store.ts'
import { actingAs, permit, type Who } from './caller.ts'
import { insertComment, type Comment } from './comment-store.ts'
import type { QuotationDeps } from './dependencies.ts'
import { holdQuotation } from './hold-quotation.ts'
import { about } from './quotation.ts'

/**
 * Adds a comment; an internal one is a note of the back office. It is no change of the quotation: the version stays.
 * @throws AppError 404; 412; 403; 400 with what is allowed instead.
 */
export const makeCommentOnQuotation =
  ({ clock, outbox, tellTurns }: QuotationDeps) =>
  async (tx: Tx, who: Who, id: number, said: Pick<Comment, 'text' | 'isInternal'>): Promise<Comment> => {
    const quotation = await holdQuotation(tx, who, id)
    const now = clock.now()
    const action = said.isInternal ? 'note' : 'comment'
    permit(who, quotation, action, { now })
    const actor = actingAs(who, quotation, action)
    const comment = await insertComment(tx, { ...said, quotationId: id, userId: who.userId, createdAt: now })
    await recordAudit(tx, [
      {
        quotationId: id,
        action,
        userId: who.userId,
        actor,
        surface: who.surface,
        before: null,
        after: { comment: comment.id },
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
    if (!said.isInternal) {
      const occasion = actor === 'owner' ? 'answered' : 'commented'
      await tellTurns(tx, [{ occasion, quotation, doer: who.userId, said: comment.text }])
    }
    return comment
  }
