export type { Product } from './product.ts'
export { productRoutes } from './routes.ts'
export { productsByIds, productsByRemoteIds } from './store.ts'
