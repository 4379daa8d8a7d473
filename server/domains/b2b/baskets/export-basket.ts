import { formatMoney } from '#platform/money.ts'
import type { TableFormat } from '#platform/spreadsheets/table-file.ts'
import { writeTableBytes } from '#platform/spreadsheets/write-table-bytes.ts'
import { basketToWire, type Basket } from './basket.ts'
import { exportColumns } from './table-columns.ts'

/** The basket as a table, a row for each product and division, in the order and at the prices in which it is shown. */
export const exportBasket = (basket: Basket, format: TableFormat): Promise<Buffer> => {
  const rows = basketToWire(basket).basket_items.flatMap(({ product_remote_id: remoteId, product, price, divisions }) =>
    divisions.map((division) => {
      const cells: Record<Name, string> = {
        product_remote_id: String(remoteId),
        sku: product.sku,
        product: product.name,
        division: String(division.id),
        division_erp_code: division.erp_code,
        division_name: division.name,
        quantity: String(division.quantity),
        price,
        currency: product.currency,
        total_amount: times(price, division.quantity),
      }
      return exportColumns.map(({ name }) => cells[name])
    }),
  )
  return writeTableBytes({ format, columns: exportColumns, rows })
}

type Name = (typeof exportColumns)[number]['name']

/** @param amount a decimal text, with the digits that the product has as well. */
const times = (amount: string, quantity: number): string => {
  const digits = amount.split('.')[1]?.length ?? 0
  return formatMoney(BigInt(amount.replace('.', '')) * BigInt(quantity), digits)
}
