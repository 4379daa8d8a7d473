import { ruleBroken } from '#platform/errors.ts'
import { splitOrders, type OrderedLine } from '../money/index.ts'
import { maxOrders } from '../quotations/index.ts'
import type { OrderContent } from './order.ts'
import type { OrderedQuotation } from './quotation-store.ts'

/** The orders that a quotation becomes, numbered from 1. @throws AppError 400 with the allowed actions when there are too many. */
export const planOrders = (quotation: OrderedQuotation, allowedActions: readonly string[] = []): OrderContent[] => {
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
    items: items.map(({ line, ...item }) => ({ ...item, itemId: lines[line]?.id ?? 0 })),
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
