export { channelRoutes } from './routes.ts'
export { holdChannel } from './store.ts'
