export { makeRaiseMessages } from './raise-messages.ts'
export { eventRoutes } from './routes.ts'
export { forgetEventIds } from './store.ts'
