import type { Outbox } from '#delivery/outbox/outbox.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { orNotFound, ruleBroken } from '#platform/errors.ts'
import { makeFindPermissions, maxOrders, visibleQuotation, type RequestContext } from '../quotations/index.ts'
import { remoteIdToWire } from '../products/index.ts'
import { splitOrders, type OrderedLine } from '../money/index.ts'
import { orderEvent, type Order, type OrderContent } from './order.ts'
import type { Push } from './push-job.ts'
import { holdHead, keepBatchSize, readLines, type OrderedQuotation, type QuotationHead } from './quotation-store.ts'
import { insertOrders, queueFailed, statusesOf } from './store.ts'

interface OrdersDeps {
  readonly clock: Clock
  readonly outbox: Outbox
  readonly push: Push
  /** Most units of an order of what is approved from now on. */
  readonly batchSize: number
}

/** What became of an order to be retried: `queued` had failed, `pending` was on its way already; undefined: there is none. */
export type Requeued = 'queued' | 'pending' | 'created' | undefined

/** How many orders were made, and which that had failed are pending again. */
export interface Made {
  readonly made: number
  readonly retried: readonly number[]
}

/** Makes and retries orders. Locks: error reports, quotations, orders, the counters of events. */
export const makeOrders = ({ clock, outbox, push, batchSize }: OrdersDeps) => {
  const findPermissions = makeFindPermissions({ batchSize, clock })

  /** Says that orders are pending. */
  const announce = (tx: Tx, orders: readonly Order[]) => outbox.append(tx, orders.map(orderEvent))

  /** Has the orders of these quotations pushed. @param askedAt when somebody asked for them to be tried again. */
  const pushOf = async (tx: Tx, orders: Iterable<Pick<Order, 'quotationId'>>, askedAt?: Date): Promise<void> => {
    for (const quotationId of new Set(Iterator.from(orders).map((order) => order.quotationId)))
      await push(tx, quotationId, askedAt)
  }

  /** Makes failed orders of a quotation pending. @returns which. */
  const retryFailed = async (tx: Tx, quotationId: number): Promise<number[]> => {
    const now = clock.now()
    const queued = await queueFailed(tx, { quotationId }, now)
    await announce(tx, queued)
    await pushOf(tx, queued, now)
    return queued.map(({ id }) => id)
  }

  const retryMany = async (tx: Tx, ids: readonly number[]): Promise<Requeued[]> => {
    const now = clock.now()
    const queued = await queueFailed(tx, { ids }, now)
    await announce(tx, queued)
    const changed = new Set(queued.map(({ id }) => id))
    const reached = await statusesOf(tx, ids)
    // Those too that are pending already: they may wait for the end of a pause.
    await pushOf(
      tx,
      reached.values().filter(({ status }) => status !== 'created'),
      now,
    )
    return ids.map((id) => (changed.has(id) ? 'queued' : reachedOf(reached.get(id)?.status)))
  }

  const createFor = async (tx: Tx, head: QuotationHead): Promise<Made> => {
    if (head.batchSize === null) await keepBatchSize(tx, head.id, batchSize)
    const orders = planOrders(await quotationOf(tx, head, batchSize))
    const now = clock.now()
    const again = await queueFailed(tx, { quotationId: head.id }, now)
    const made = await insertOrders(tx, { quotationId: head.id, currency: head.currency, orders }, now)
    await announce(tx, [...made, ...again])
    await pushOf(tx, [...made, ...again], again.length > 0 ? now : undefined)
    return { made: made.length, retried: again.map(({ id }) => id) }
  }

  return {
    /** Like `createMissing`, for a quotation that the caller holds. */
    createFor,

    /** Makes missing orders of an approved quotation, in the batch size of the first time, and queues failed ones. @throws AppError 404; 400. */
    createMissing: async (tx: Tx, quotationId: number): Promise<void> => {
      await createFor(tx, orNotFound(await holdHead(tx, quotationId)))
    },

    /** The orders that approval would make, or made; changes nothing. @throws AppError 404; 400 with the allowed actions. */
    preview: async (db: Db | Tx, context: RequestContext, quotationId: number) => {
      const quotation = await visibleQuotation(db, context, quotationId)
      const { allowed } = await findPermissions(db, context, quotation)
      const ordered = await quotationOf(db, quotation, batchSize)
      return { currency: quotation.currency, orders: planOrders(ordered, allowed) }
    },

    retryFailed,
    retryMany,
  }
}

/** Of an order that a retry did not change. One that has failed was on its way when that was asked for. */
const reachedOf = (status: Order['status'] | undefined): Requeued => (status === 'failed' ? 'pending' : status)

const quotationOf = async (db: Db | Tx, head: QuotationHead, batchSize: number): Promise<OrderedQuotation> => ({
  ...head,
  batchSize: head.batchSize ?? batchSize,
  ...(await readLines(db, head.id)),
})

/** The orders that a quotation becomes, numbered from 1. @throws AppError 400 with the allowed actions when there are too many. */
const planOrders = (quotation: OrderedQuotation, allowedActions: readonly string[] = []): OrderContent[] => {
  const { number, revision, lines, divisions, batchSize } = quotation
  const count = countOrders(lines, batchSize)
  if (count > maxOrders) {
    const message = `With ${batchSize} units for each order it would become ${count} orders, and ${maxOrders} can be made at most.`
    throw ruleBroken('too_many_orders', message, allowedActions)
  }
  return splitOrders(lines, batchSize).map(({ divisionId, items, ...planned }, index) => ({
    ...planned,
    number: `${number}-${index + 1}`,
    revision,
    division: divisions.get(divisionId) ?? missing(divisionId),
    items: items.map(({ line, productRemoteId, ...item }) => {
      const { id: itemId = 0, sku = null } = lines[line] ?? {}
      return { ...item, productRemoteId: remoteIdToWire(productRemoteId), itemId, ...(sku !== null && { sku }) }
    }),
  }))
}

/** How many orders there will be: counted without making them. */
const countOrders = (lines: readonly OrderedLine[], batchSize: number): number => {
  const units = new Map<number, number>()
  for (const { divisions } of lines)
    for (const { id, quantity } of divisions) units.set(id, quantity + (units.get(id) ?? 0))
  return units.values().reduce((count, quantity) => count + Math.ceil(quantity / batchSize), 0)
}

const missing = (divisionId: number): never => {
  throw new Error(`The database has lost division ${divisionId}.`)
}
