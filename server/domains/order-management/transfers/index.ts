export { shippedTransfers } from './ports.ts'
export { transferRoutes } from './routes.ts'
