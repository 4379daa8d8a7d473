import type { Db, Tx } from '#platform/db/database.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import type { OrderFailures } from '#failures/order-failures.ts'
import { listedToWire, toWire, type ListedOrder, type Order } from './order.ts'
import { firstOrdersOf, ordersOf } from './store.ts'

export type WireOrder = ReturnType<typeof toWire>

/** Orders as the API shows them, with the error reports that are open. */
export const makeShowOrders = ({ failures, baseUrl }: ShowDeps) => {
  const withReports = async <O extends Order, W>(
    db: Db | Tx,
    orders: readonly O[],
    wireOf: (order: O, errorReport: string | null) => W,
  ): Promise<W[]> => {
    // What never failed has no report.
    const tried = orders.filter(({ error }) => error !== null)
    const ids = tried.map(({ id }) => id)
    const reports = await failures.openReports(db, ids)
    return orders.map((order) => {
      const path = reports.get(order.id)
      return wireOf(order, path === undefined ? null : `${baseUrl()}${path}`)
    })
  }
  const show = (db: Db | Tx, orders: readonly Order[]): Promise<WireOrder[]> => withReports(db, orders, toWire)
  return {
    page: async (db: Db | Tx, quotationId: number, page: Page): Promise<Rows<WireOrder>> => {
      const { rows, count } = await ordersOf(db, quotationId, page)
      return { rows: await show(db, rows), count }
    },
    /** The first orders of a quotation. */
    first: async (db: Db | Tx, quotationId: number): Promise<WireOrder[]> =>
      show(db, await firstOrdersOf(db, quotationId)),
    /** Orders of any quotations. */
    listed: (db: Db | Tx, orders: readonly ListedOrder[]) => withReports(db, orders, listedToWire),
    one: async (db: Db | Tx, order: Order): Promise<WireOrder> => (await show(db, [order]))[0] ?? toWire(order, null),
  }
}

interface ShowDeps {
  readonly failures: Pick<OrderFailures, 'openReports'>
  readonly baseUrl: () => string
}
export type ShowOrders = ReturnType<typeof makeShowOrders>
