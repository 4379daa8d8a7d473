export { stockLocationRoutes } from './routes.ts'
export { findLocation, holdLocation, holdWorkLocation } from './store.ts'
export type { StockLocation } from './stock-location.ts'
