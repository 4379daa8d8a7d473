export type { HoldQuotationOrder } from './pack-order.ts'
export { packageRoutes, type PackageDeps } from './routes.ts'
export { shippedPackages } from './store.ts'
export { packageLifecycle } from './lifecycle.ts'
