export { transferRoutes } from './routes.ts'
export { transferStore } from './store.ts'
export { transferLifecycle } from './lifecycle.ts'
