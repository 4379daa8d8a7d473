export { stockLocationRoutes } from './routes.ts'
export { findLocation, holdLocation } from './store.ts'
export type { StockLocation } from './stock-location.ts'
export { holdWorkLocation } from './work-location.ts'
