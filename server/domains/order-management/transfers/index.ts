export { transferRoutes } from './routes.ts'
export { lockTransfer } from './store.ts'
export { transferLifecycle } from './lifecycle.ts'
