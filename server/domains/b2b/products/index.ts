export type { Product } from './product.ts'
export { RemoteId, remoteIdToWire } from './remote-id.ts'
export { productRoutes } from './routes.ts'
export { productsByIds, productsByRemoteIds } from './store.ts'
