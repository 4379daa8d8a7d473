import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { orNotFound, ruleBroken } from '#platform/errors.ts'
import { recordAudit, type HeldQuotation, type makeHoldQuotation, type RequestContext } from '../quotations/index.ts'
import type { Made, makeOrders, Requeued } from './make-orders.ts'
import type { OrderFailures } from '#failures/order-failures.ts'
import type { Order } from './order.ts'
import { holdQuotationsOf } from './quotation-store.ts'
import { findOrder } from './store.ts'

/** How many orders of a quotation were made, and how many that had failed are pending again. */
type Counted = Readonly<Record<keyof Made, number>>

/** The superuser, and the request. */
export type Requester = Pick<RequestContext, 'userId' | 'requestId'>

export interface ByHandDeps {
  readonly clock: Clock
  readonly holdQuotation: ReturnType<typeof makeHoldQuotation>
  readonly failures: Pick<OrderFailures, 'lockReports' | 'retried'>
  readonly orders: Pick<ReturnType<typeof makeOrders>, 'createFor' | 'retryFailed' | 'retryMany'>
}

/** What superusers do about orders, with its audit. Locks: error reports, the quotation, its orders. */
export const makeByHand = ({ clock, holdQuotation, orders, failures }: ByHandDeps) => {
  const hold = async (tx: Tx, context: RequestContext, quotationId: number): Promise<HeldQuotation> => {
    await failures.lockReports(tx)
    return holdQuotation(tx, context, quotationId)
  }

  const note = async (tx: Tx, requester: Requester, quotationId: number, { made, retried }: Made) => {
    if (made + retried.length === 0) return
    await failures.retried(tx, retried, requester.userId)
    await audit(tx, requester, new Map([[quotationId, { made, retried: retried.length }]]))
  }

  /** Writes down what was done with quotations. */
  const audit = async (tx: Tx, { userId, requestId }: Requester, done: ReadonlyMap<number, Counted>) => {
    const how = { action: 'create-orders', actor: 'super', surface: 'admin' } as const
    const entry = { ...how, userId, requestId, before: null, createdAt: clock.now() }
    const entries = [...done].map(([quotationId, after]) => ({ ...entry, quotationId, after }))
    await recordAudit(tx, entries)
  }

  return {
    /** Makes missing orders and queues failed ones. @throws AppError 404; 412; 400 with the allowed actions. */
    create: async (tx: Tx, context: RequestContext, quotationId: number): Promise<void> => {
      const { quotation, permissions } = await hold(tx, context, quotationId)
      permissions.permit('create-orders')
      await note(tx, context, quotationId, await orders.createFor(tx, quotation))
    },

    /** Has all orders of a quotation tried again that failed. @returns how many. @throws AppError 404, 412. */
    retryAll: async (tx: Tx, context: RequestContext, quotationId: number): Promise<number> => {
      await hold(tx, context, quotationId)
      const retried = await orders.retryFailed(tx, quotationId)
      await note(tx, context, quotationId, { made: 0, retried })
      return retried.length
    },

    /** Queues one failed order; a pending one stays. @throws AppError 404; 412; 400 `order_created` with the allowed actions. */
    retryOne: async (tx: Tx, context: RequestContext, quotationId: number, orderId: number): Promise<Order> => {
      const { permissions } = await hold(tx, context, quotationId)
      orNotFound(await findOrder(tx, quotationId, orderId))
      const [outcome] = await orders.retryMany(tx, [orderId])
      if (outcome === 'created') {
        const message = 'This order is created in the commerce platform: there is nothing to try again.'
        throw ruleBroken('order_created', message, permissions.allowed)
      }
      await note(tx, context, quotationId, { made: 0, retried: outcome === 'queued' ? [orderId] : [] })
      return (await findOrder(tx, quotationId, orderId)) ?? notThere(orderId)
    },

    /** Queues failed orders of any quotations. The caller holds their error reports, and notes there who asked. */
    retryMany: async (tx: Tx, requester: Requester, orderIds: readonly number[]): Promise<readonly Requeued[]> => {
      const quotationOf = await holdQuotationsOf(tx, orderIds)
      const outcomes = await orders.retryMany(tx, orderIds)
      const queued = orderIds.filter((_, index) => outcomes[index] === 'queued')
      const byQuotation = Map.groupBy(queued, (id) => quotationOf.get(id) ?? notThere(id))
      const done = [...byQuotation].map(([id, retried]) => [id, { made: 0, retried: retried.length }] as const)
      await audit(tx, requester, new Map(done))
      return outcomes
    },
  }
}

const notThere = (id: number): never => {
  throw new Error(`Order ${id} has gone while it was tried again.`)
}
