export { insufficientStock } from './adjust-stock.ts'
export type { Movement, MovementKind } from './movements.ts'
export { stockRoutes } from './routes.ts'
export { findUnknown, moveStock, unknownOf, type Cause } from './store.ts'
