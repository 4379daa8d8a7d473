import type { Db, Tx } from '#platform/db/database.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import type { OrderFailures } from '#failures/order-failures.ts'
import { listedToWire, toWire, type Beside, type ListedOrder, type Order, type OrderPackage } from './order.ts'
import { firstOrdersOf, ordersOf } from './store.ts'

export type WireOrder = ReturnType<typeof toWire>

/** The packages of these orders, by order. Filled in by who knows packages. */
export type PackagesOf = (
  db: Db | Tx,
  orderIds: readonly number[],
) => Promise<ReadonlyMap<number, readonly OrderPackage[]>>

/** Orders as the API shows them, with the error reports that are open and the packages that were made of them. */
export const makeShowOrders = ({ failures, packagesOf, baseUrl }: ShowDeps) => {
  const withOthers = async <O extends Order, W>(
    db: Db | Tx,
    orders: readonly O[],
    wireOf: (order: O, beside: Beside) => W,
  ): Promise<W[]> => {
    const [reports, packages] = await Promise.all([
      // What never failed has no report.
      failures.openReports(db, idsOf(orders.filter(({ error }) => error !== null))),
      // What the platform has not got is not packed.
      packagesOf(db, idsOf(orders.filter(({ status }) => status === 'created'))),
    ])
    return orders.map((order) => {
      const path = reports.get(order.id)
      const errorReport = path === undefined ? null : `${baseUrl()}${path}`
      return wireOf(order, { errorReport, packages: packages.get(order.id) ?? [] })
    })
  }
  const show = (db: Db | Tx, orders: readonly Order[]): Promise<WireOrder[]> => withOthers(db, orders, toWire)
  return {
    page: async (db: Db | Tx, quotationId: number, page: Page): Promise<Rows<WireOrder>> => {
      const { rows, count } = await ordersOf(db, quotationId, page)
      return { rows: await show(db, rows), count }
    },
    /** The first orders of a quotation. */
    first: async (db: Db | Tx, quotationId: number): Promise<WireOrder[]> =>
      show(db, await firstOrdersOf(db, quotationId)),
    /** Orders of any quotations. */
    listed: (db: Db | Tx, orders: readonly ListedOrder[]) => withOthers(db, orders, listedToWire),
    one: async (db: Db | Tx, order: Order): Promise<WireOrder> =>
      (await show(db, [order]))[0] ?? toWire(order, { errorReport: null, packages: [] }),
  }
}

const idsOf = (orders: readonly Order[]): number[] => orders.map(({ id }) => id)

interface ShowDeps {
  readonly failures: Pick<OrderFailures, 'openReports'>
  readonly packagesOf: PackagesOf
  readonly baseUrl: () => string
}
export type ShowOrders = ReturnType<typeof makeShowOrders>
