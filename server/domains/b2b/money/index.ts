export { priceQuotation } from './price-quotation.ts'
export { splitOrders, type OrderedLine, type PlannedOrder } from './split-orders.ts'
