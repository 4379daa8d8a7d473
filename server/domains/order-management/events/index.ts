export { eventRoutes } from './routes.ts'
export { forgetEventIds } from './forget-event-ids.ts'
