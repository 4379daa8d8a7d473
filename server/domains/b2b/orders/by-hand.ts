import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { notFound, ruleBroken } from '#platform/errors.ts'
import { decide, permittedActions, recordAudit, refusals, requireMatch, type Who } from '../quotations/index.ts'
import type { Made, makeOrders, Requeued } from './make-orders.ts'
import type { OrderFailures } from './order-failures.ts'
import type { Order } from './order.ts'
import { holdHead, holdQuotationsOf, type QuotationHead } from './quotation-store.ts'
import { findOrder } from './store.ts'

/** The superuser who asks, and the request. */
export type Asking = Pick<Who, 'userId' | 'requestId' | 'ifMatch'>

/** How many orders of a quotation were made, and how many that had failed are pending again. */
type Counted = Readonly<Record<keyof Made, number>>

/** The same, of what has no version of one quotation. */
export type AskingForMany = Omit<Asking, 'ifMatch'>

export interface ByHandDeps {
  readonly clock: Clock
  readonly failures: Pick<OrderFailures, 'takeTurn' | 'retried'>
  readonly orders: Pick<ReturnType<typeof makeOrders>, 'createFor' | 'retryFailed' | 'retryMany'>
}

/**
 * What superusers do about orders. What it changed is written down with who did it, as changes of the quotation are, and in the
 * error reports of what is tried again. Held in this order: the turn of the error reports, the quotation, its orders.
 */
export const makeByHand = ({ clock, orders, failures }: ByHandDeps) => {
  /** The quotation, of the version that was read. @throws AppError 404, 412. */
  const hold = async (tx: Tx, asking: Asking, quotationId: number): Promise<QuotationHead> => {
    await failures.takeTurn(tx)
    const head = await holdHead(tx, quotationId)
    if (head === undefined) throw notFound()
    requireMatch(asking, head)
    return head
  }

  const note = async (tx: Tx, asking: Asking, quotationId: number, { made, retried }: Made) => {
    if (made + retried.length === 0) return
    await failures.retried(tx, retried, asking.userId)
    await audit(tx, asking, new Map([[quotationId, { made, retried: retried.length }]]))
  }

  /** Writes down what was done with quotations. */
  const audit = async (tx: Tx, { userId, requestId }: AskingForMany, done: ReadonlyMap<number, Counted>) => {
    const how = { action: 'create-orders', actor: 'super', surface: 'admin' } as const
    const entry = { ...how, userId, requestId, before: null, createdAt: clock.now() }
    await recordAudit(
      tx,
      [...done].map(([quotationId, after]) => ({ ...entry, quotationId, after })),
    )
  }

  return {
    /**
     * Makes the orders of a quotation that are missing, and has those tried again that failed.
     * @throws AppError 404; 412; 400 with what is allowed instead when it is not approved, or there would be too many.
     */
    create: async (tx: Tx, asking: Asking, quotationId: number): Promise<void> => {
      const head = await hold(tx, asking, quotationId)
      refuseUnlessApproved(head)
      await note(tx, asking, quotationId, await orders.createFor(tx, head))
    },

    /** Has all orders of a quotation tried again that failed. @returns how many. @throws AppError 404, 412. */
    retryAll: async (tx: Tx, asking: Asking, quotationId: number): Promise<number> => {
      await hold(tx, asking, quotationId)
      const retried = await orders.retryFailed(tx, quotationId)
      await note(tx, asking, quotationId, { made: 0, retried })
      return retried.length
    },

    /**
     * Has one order tried again that failed; one that is on its way stays as it is.
     * @throws AppError 404; 412; 400 `order_created`.
     */
    retryOne: async (tx: Tx, asking: Asking, named: { quotationId: number; orderId: number }): Promise<Order> => {
      const { quotationId, orderId } = named
      await hold(tx, asking, quotationId)
      if ((await findOrder(tx, quotationId, orderId)) === undefined) throw notFound()
      const [outcome] = await orders.retryMany(tx, [orderId])
      if (outcome === 'created') throw alreadyCreated()
      await note(tx, asking, quotationId, { made: 0, retried: outcome === 'queued' ? [orderId] : [] })
      return (await findOrder(tx, quotationId, orderId)) ?? notThere(orderId)
    },

    /**
     * Has orders of any quotations tried again where they failed, for somebody who asks for it by their error reports: the caller
     * has taken the turn of those, and writes down there who asked. @returns what became of each, in their order.
     */
    retryMany: async (tx: Tx, asking: AskingForMany, orderIds: readonly number[]): Promise<readonly Requeued[]> => {
      const quotationOf = await holdQuotationsOf(tx, orderIds)
      const outcomes = await orders.retryMany(tx, orderIds)
      const queued = orderIds.filter((_, index) => outcomes[index] === 'queued')
      const byQuotation = Map.groupBy(queued, (id) => quotationOf.get(id) ?? notThere(id))
      const done = [...byQuotation].map(([id, retried]) => [id, { made: 0, retried: retried.length }] as const)
      await audit(tx, asking, new Map(done))
      return outcomes
    },
  }
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
