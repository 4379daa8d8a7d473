export { stockLocationRoutes } from './routes.ts'
export { anyLocation, findLocation, holdLocation, holdWorkLocation } from './store.ts'
export type { StockLocation } from './stock-location.ts'
