import { hourMs } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { invalidField, ruleBroken, tooManyRequests } from '#platform/errors.ts'
import { isCounted } from '../limits/limit-store.ts'
import { requireRoom } from '../limits/require-room.ts'
import type { Condition } from '../rules/conditions.ts'
import { readSettings } from '../../settings/index.ts'
import { recordAudit } from '../history/audit-store.ts'
import { keepPaidPrices } from '../history/paid-prices-store.ts'
import { actorsOf, auditOf, type RequestContext } from '../rules/request-context.ts'
import { makeApplyChange } from './change-quotation.ts'
import type { QuotationDeps } from '../dependencies.ts'
import { freezeTerms } from '../terms/freeze-terms.ts'
import { isDue, makeHoldQuotation, type HeldQuotation } from '../rules/hold-quotation.ts'
import { statusEvent, type Quotation } from '../quotation.ts'
import { noteReminder, type QuotationChanges } from '../store.ts'

/** Actions that lead from one status to another. */
export const moves = [
  'approve-pending-request',
  'cancel',
  'reject',
  'set-as-draft',
  'send-approval-request',
  'approve',
] as const
export type MoveAction = (typeof moves)[number]

export interface Command {
  readonly action: MoveAction
  /** The revision that is approved; undefined: whatever there is. */
  readonly revision: number | undefined
  /** Approves also what comes to 0. */
  readonly confirmsZero: boolean
  /** Why it is rejected or cancelled; undefined: nothing is said. */
  readonly reason: string | undefined
  /** Another time to expire; null: never. */
  readonly expiresAt: Date | null | undefined
}

/** What a step may look at. */
interface Held extends HeldQuotation {
  readonly context: RequestContext
  readonly command: Command
  readonly now: Date
  readonly batchSize: number
}
/** What an action sets besides the status. undefined: everything is as asked for already. */
type Step = (tx: Tx, held: Held) => Promise<QuotationChanges | undefined>

/** Moves a quotation by the table of transitions. @throws AppError 404; 412; 403; 400 with the allowed actions. */
export const makeActOnQuotation = (deps: QuotationDeps) => {
  const { clock, orders, batchSize } = deps
  const hold = makeHoldQuotation(deps)
  const apply = makeApplyChange(deps)
  const remind = makeRemind(deps)
  return async (tx: Tx, context: RequestContext, id: number, command: Command): Promise<Quotation> => {
    const { action, expiresAt } = command
    const held = await hold(tx, context, id)
    const { quotation, permissions } = held
    const now = clock.now()
    if (expiresAt instanceof Date && expiresAt <= now) throw invalidField('expires_at', 'Use a time in the future.')
    const status = permissions.permit(action, metBy(command))

    const set = await steps[action](tx, { ...held, context, command, now, batchSize })
    const after =
      set === undefined ? quotation : await apply(tx, context, quotation, { action, set: { ...set, status } })
    if (action === 'approve' && set !== undefined) await keepPaidPrices(tx, after)
    if (action === 'approve' && (await readSettings(tx)).CREATE_ORDERS_ON_APPROVAL) await orders.createMissing(tx, id)
    if (action !== 'send-approval-request' || set !== undefined) return after
    return remind(tx, context, after, now)
  }
}

/** The condition that a request itself meets. */
const metBy = ({ expiresAt, confirmsZero }: Command): Condition | undefined => {
  if (expiresAt !== undefined) return 'needs_new_expiry'
  return confirmsZero ? 'net_amount_zero' : undefined
}

const nothingElse: Step = async () => ({})

const steps: Readonly<Record<MoveAction, Step>> = {
  'approve-pending-request': nothingElse,
  cancel: async (_tx, held) => reasonIn(held),

  // What its main division rejected is not taken up again; whoever is both speaks for themselves.
  reject: async (_tx, held) => {
    const { context, quotation } = held
    const actors = actorsOf(context, quotation)
    // Who says no has not agreed to anything any more.
    const takenBack = actors.includes('owner') ? { consentedRevision: null } : {}
    return { rejectedByMain: actors.includes('main') && !actors.includes('owner'), ...takenBack, ...reasonIn(held) }
  },

  'set-as-draft': async (tx, { quotation, permissions: { allowed }, command: { expiresAt }, now }) => {
    if (quotation.status === 'draft' && expiresAt === undefined) return undefined
    // The table has looked without keeping others from adding to the month.
    if (!isCounted(quotation.status) || isDue(quotation, now)) await requireRoom(tx, quotation, { now, allowed })
    return { reason: null, reasonBy: null, ...(expiresAt === undefined ? {} : { expiresAt }) }
  },

  'send-approval-request': async (tx, { context, quotation, now }) => {
    if (quotation.status === 'sending_approval_request') return undefined
    const revision = await freezeTerms(tx, quotation, { createdBy: context.userId, createdAt: now, isOffer: true })
    return { revision, sentAt: now, remindedAt: null }
  },

  approve: async (tx, held) => {
    const { context, quotation, now, batchSize } = held
    if (quotation.status === 'approved') {
      requireRevision(held, quotation.revision)
      return undefined
    }
    const revision = await freezeTerms(tx, quotation, { createdBy: context.userId, createdAt: now, isOffer: false })
    // Terms that were changed in the draft since are another one.
    requireRevision(held, revision)
    const isOwner = context.surface === 'storefront'
    return {
      revision,
      batchSize,
      ...(isOwner ? { consentedRevision: revision, consentedAmount: quotation.netAmount } : {}),
    }
  },
}

/** What was said, and by whom. Blank is nothing. */
const reasonIn = ({ context, command: { reason = '' } }: Held): QuotationChanges =>
  reason.trim() === '' ? {} : { reason, reasonBy: context.userId }

/** @throws AppError 400 when another revision is asked for than there is. */
const requireRevision = ({ permissions, command: { revision: wanted } }: Held, revision: number): void => {
  if (wanted === undefined || wanted === revision) return
  const message = `The terms are those of revision ${revision} now. Read them again.`
  throw ruleBroken('stale_revision', message, permissions.allowed)
}

/** When the owner can be reminded again; null: at once. Sending an offer is no reminder. */
export const nextReminderAt = ({ status, remindedAt }: Quotation, now: Date): Date | null => {
  if (status !== 'sending_approval_request' || remindedAt === null) return null
  const next = new Date(remindedAt.getTime() + hourMs)
  return next > now ? next : null
}

/** Asks the owner once more, once an hour at most. Changes nothing of the quotation, so its version stays. @throws AppError 429. */
const makeRemind =
  ({ outbox, notify }: Pick<QuotationDeps, 'outbox' | 'notify'>) =>
  async (tx: Tx, context: RequestContext, quotation: Quotation, now: Date): Promise<Quotation> => {
    const next = nextReminderAt(quotation, now)
    if (next !== null) {
      const seconds = Math.ceil((next.getTime() - now.getTime()) / 1000)
      const message = `Its owner was reminded within the last hour. The next reminder can go at ${next.toISOString()}.`
      throw tooManyRequests(message, 1, seconds)
    }
    await noteReminder(tx, quotation.id, now)
    const before = { reminded_at: quotation.remindedAt?.toISOString() ?? null }
    const after = { reminded_at: now.toISOString() }
    await recordAudit(tx, [{ ...auditOf(context, quotation, 'send-approval-request', now), before, after }])
    await outbox.append(tx, [statusEvent(quotation)])
    await notify(tx, [{ occasion: 'reminded', quotation, doer: context.userId }])
    return { ...quotation, remindedAt: now }
  }
