import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { notFound, ruleBroken } from '#platform/errors.ts'
import { decide, permittedActions, recordAudit, refusals } from '../quotations/index.ts'
import type { Made, makeOrders } from './make-orders.ts'
import type { Order } from './order.ts'
import { holdHead, type QuotationHead } from './quotation-store.ts'
import { findOrder } from './store.ts'

/** The superuser who asks, and the request. */
export interface Asking {
  readonly userId: number
  readonly requestId: string
}

export interface ByHandDeps {
  readonly clock: Clock
  readonly orders: Pick<ReturnType<typeof makeOrders>, 'createFor' | 'retryFailed' | 'retryMany'>
}

/** What superusers do about orders. What it changed is written down with who did it, as changes of the quotation are. */
export const makeByHand = ({ clock, orders }: ByHandDeps) => {
  const audit = async (tx: Tx, { userId, requestId }: Asking, quotationId: number, after: Made): Promise<void> => {
    if (after.made + after.retried === 0) return
    const how = { action: 'create-orders', actor: 'super', surface: 'admin' } as const
    await recordAudit(tx, [
      { ...how, quotationId, userId, requestId, before: null, after: { ...after }, createdAt: clock.now() },
    ])
  }

  return {
    /**
     * Makes the orders of a quotation that are missing, and has those tried again that failed.
     * @throws AppError 404; 400 with what is allowed instead when it is not approved, or there would be too many.
     */
    create: async (tx: Tx, asking: Asking, quotationId: number): Promise<void> => {
      const head = await hold(tx, quotationId)
      refuseUnlessApproved(head)
      await audit(tx, asking, quotationId, await orders.createFor(tx, head))
    },

    /** Has all orders of a quotation tried again that failed. @returns how many. @throws AppError 404. */
    retryAll: async (tx: Tx, asking: Asking, quotationId: number): Promise<number> => {
      await hold(tx, quotationId)
      const retried = await orders.retryFailed(tx, quotationId)
      await audit(tx, asking, quotationId, { made: 0, retried })
      return retried
    },

    /**
     * Has one order tried again that failed; one that is on its way stays as it is.
     * @throws AppError 404; 400 `order_created`.
     */
    retryOne: async (tx: Tx, asking: Asking, named: { quotationId: number; orderId: number }): Promise<Order> => {
      const { quotationId, orderId } = named
      if ((await findOrder(tx, quotationId, orderId)) === undefined) throw notFound()
      const [outcome] = await orders.retryMany(tx, [orderId])
      if (outcome === 'created') throw alreadyCreated()
      await audit(tx, asking, quotationId, { made: 0, retried: outcome === 'queued' ? 1 : 0 })
      return (await findOrder(tx, quotationId, orderId)) ?? notThere(orderId)
    },
  }
}

const hold = async (tx: Tx, quotationId: number): Promise<QuotationHead> => {
  const head = await holdHead(tx, quotationId)
  if (head === undefined) throw notFound()
  return head
}

const superuser = { surface: 'admin', actors: ['super'] } as const

const refuseUnlessApproved = ({ status, isRejectedByMain }: QuotationHead): void => {
  const decision = decide('create-orders', superuser, { status, isRejectedByMain, hasNewExpiry: false })
  if ('to' in decision) return
  const { allowed } = permittedActions(superuser, { status, isRejectedByMain })
  const reason = decision.refused === 'forbidden' ? 'not_approved' : decision.refused
  throw ruleBroken(reason, refusals[reason], allowed)
}

const alreadyCreated = () =>
  ruleBroken('order_created', 'This order is created in the commerce platform: there is nothing to try again.')

const notThere = (id: number): never => {
  throw new Error(`Order ${id} has gone while it was tried again.`)
}
