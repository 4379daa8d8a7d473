export { eventRoutes } from './routes.ts'
export { forgetEventIds } from './store.ts'
