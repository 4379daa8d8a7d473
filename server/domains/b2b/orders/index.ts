import type { Logger } from 'pino'
import { Counter, type Registry } from 'prom-client'
import type { Outbox } from '#delivery/outbox/outbox.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { SliceDeps } from '#platform/http/slice-deps.ts'
import { makeHoldQuotation, type QuotationDeps } from '../quotations/index.ts'
import { makeByHand } from './by-hand.ts'
import { makeOrders } from './make-orders.ts'
import type { OrderFailures } from '#failures/order-failures.ts'
import type { CommercePlatform } from './platform/commerce-platform.ts'
import { makeHttpPlatform, type HttpPlatformDeps } from './platform/http-platform.ts'
import { makeLedger, type LedgerDeps } from './platform/ledger-store.ts'
import { makePlatformPause } from './platform/platform-pause.ts'
import { definePush, makeSweep } from './push-job.ts'
import { makePushOrder } from './push-order.ts'
import { orderListRoutes } from './list-routes.ts'
import { myOrderRoutes } from './my-orders-routes.ts'
import { makeRetryMatching } from './retry-matching.ts'
import { orderRoutes } from './routes.ts'
import { makeShowOrders, type PackagesOf } from './show-orders.ts'
import { holdOrder } from './store.ts'
import { makeTellSeller } from './tell-seller.ts'

export { countFailing } from './list-store.ts'
export { skuOf } from './order.ts'

/** Which connector, and what it needs (COMMERCE_CONNECTOR). */
export type Commerce =
  | { readonly connector: 'ledger' }
  | ({ readonly connector: 'http' } & Pick<HttpPlatformDeps, 'url' | 'secret'>)

type PlatformDeps = LedgerDeps & Omit<HttpPlatformDeps, 'url' | 'secret'>

export interface OrdersSliceDeps
  extends SliceDeps, Pick<PlatformDeps, 'send' | 'installationId'>, Pick<QuotationDeps, 'findPeople' | 'notify'> {
  readonly log: Logger
  readonly registry: Registry
  readonly jobs: Pick<Jobs, 'define'>
  readonly outbox: Outbox
  readonly failures: OrderFailures
  readonly packagesOf: PackagesOf
  /** Where orders go. */
  readonly commerce: Commerce
  /** Most units of an order of what is approved from now on (B2B_BULK_PROCESSES_BATCH_SIZE). */
  readonly batchSize: number
}

/** The orders of approved quotations, on their way to the commerce platform. */
export const makeOrdersSlice = (deps: OrdersSliceDeps) => {
  const { db, clock, log, jobs, outbox, failures, commerce } = deps
  const platform = makePlatform(commerce, deps)
  const pause = makePlatformPause({ clock, log })
  const attempts = new Counter({
    name: 'waybill_order_attempts_total',
    help: 'Tries to create an order in the commerce platform, by outcome.',
    labelNames: ['outcome'],
    registers: [deps.registry],
  })
  const failed = new Counter({
    name: 'waybill_orders_failed_total',
    help: 'Tries to create an order in the commerce platform that failed, by reason.',
    labelNames: ['reason'],
    registers: [deps.registry],
  })
  const tellSeller = makeTellSeller(deps)
  const pushDeps = { db, clock, log, platform, pause, outbox, failures, attempts, failed, tellSeller }
  const push = definePush({ jobs, pause, pushOrder: makePushOrder(pushDeps) })
  const orders = makeOrders({ clock, outbox, push, batchSize: deps.batchSize })
  const byHand = makeByHand({ clock, holdQuotation: makeHoldQuotation(deps), orders, failures })
  const show = makeShowOrders(deps)
  const retryMatching = makeRetryMatching({ ...deps, byHand })
  return {
    createMissing: orders.createMissing,
    ordersOf: show.first,
    /** An order, kept from others who hold it until the transaction ends. */
    holdOrder,
    /** Has these tried again where they failed, for a superuser. @returns what became of each, in their order. */
    retryMany: byHand.retryMany,
    routes: [
      orderRoutes({ ...deps, orders, byHand, show }),
      orderListRoutes({ ...deps, byHand, retryMatching, show }),
      myOrderRoutes({ ...deps, show }),
    ],
    /** For processes that work. */
    workers: [makeSweep({ db, clock, log, push, pause })],
  }
}

/** The commerce platform that the configuration names. */
const makePlatform = (commerce: Commerce, deps: PlatformDeps): CommercePlatform =>
  commerce.connector === 'ledger' ? makeLedger(deps) : makeHttpPlatform({ ...deps, ...commerce })
