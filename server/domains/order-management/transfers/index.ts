export { transferRoutes } from './routes.ts'
export { lockTransfer } from './store.ts'
