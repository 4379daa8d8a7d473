export { channelRoutes } from './routes.ts'
export { findChannel, holdChannel } from './store.ts'
