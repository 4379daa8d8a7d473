export { priceQuotation } from './price-quotation.ts'
export { splitOrders, type OrderedLine } from './split-orders.ts'
