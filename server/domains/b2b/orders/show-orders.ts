import type { Db, Tx } from '#platform/db/database.ts'
import type { Page, Rows } from '#platform/lists/page.ts'
import type { OrderFailures } from '#failures/order-failures.ts'
import { toWire, type Order } from './order.ts'
import { firstOrdersOf, ordersOf } from './store.ts'

export type WireOrder = ReturnType<typeof toWire>

/** Orders as the API shows them, with the error reports that are open. */
export const makeShowOrders = ({ failures, baseUrl }: ShowDeps) => {
  const show = async (db: Db | Tx, orders: readonly Order[]): Promise<WireOrder[]> => {
    // What never failed has no report.
    const tried = orders.filter(({ error }) => error !== null)
    const ids = tried.map(({ id }) => id)
    const reports = await failures.openReports(db, ids)
    return orders.map((order) => {
      const path = reports.get(order.id)
      return toWire(order, path === undefined ? null : `${baseUrl()}${path}`)
    })
  }
  return {
    page: async (db: Db | Tx, quotationId: number, page: Page): Promise<Rows<WireOrder>> => {
      const { rows, count } = await ordersOf(db, quotationId, page)
      return { rows: await show(db, rows), count }
    },
    /** The first orders of a quotation. */
    first: async (db: Db | Tx, quotationId: number): Promise<WireOrder[]> =>
      show(db, await firstOrdersOf(db, quotationId)),
    one: async (db: Db | Tx, order: Order): Promise<WireOrder> => (await show(db, [order]))[0] ?? toWire(order, null),
  }
}

interface ShowDeps {
  readonly failures: Pick<OrderFailures, 'openReports'>
  readonly baseUrl: () => string
}
export type ShowOrders = ReturnType<typeof makeShowOrders>
